import Accounts
public import Chat
import Crypto
import Kernel
public import WebClient

/// Uploads files to an account's hub: small ones in one request, others in parts, which go on where they were cut. Documented name.
/// Source: `docs/blobs.md`, "HTTP".
public actor UploadClient {
    /// Bytes up to which a file goes in one request: a photo after ``OutgoingPipeline`` has made it small.
    static let wholeLimit = 256 << 10
    static let wholePath = "/chat/upload"
    static let partsPath = "/chat/uploads"
    /// Bytes that are handed to the network at a time.
    private static let pieceSize = 64 << 10
    /// Times that one upload is cut and goes on before it is left to the next attempt.
    private static let cutLimit = 32
    /// Unfinished uploads that are remembered; the hub has 16 of a person at a time.
    private static let memoryLimit = 16
    /// For one request of 10 MB over a slow line.
    private static let timeouts = WebTimeouts(idle: .seconds(30), whole: .seconds(600))

    /// How far the hub has an upload.
    private struct Standing {
        var id: String
        var offset: Int
        /// Once it is whole.
        var objectKey: String?
    }

    private let requests: HubRequests
    /// The hub's ids of what was begun and not finished, by kind and content, the oldest first: another attempt goes on with them.
    private var unfinished: [(content: String, id: String)] = []
    private var active: Set<String> = []

    /// - Parameter hub: The hub's address; its path is not used.
    public init(hub: WebURL, web: any WebClient, tokens: any AccessTokenSource) {
        self.init(HubRequests(hub: hub, web: web, tokens: tokens))
    }

    init(_ requests: HubRequests) { self.requests = requests }

    /// Uploads a file. What is cut goes on as long as the hub has more of it each time; then, and where the hub is away, it fails, and the same
    /// call goes on with it later.
    ///
    /// - Parameter progress: Called with 0 to 1 as the network takes the bytes.
    /// - Throws: ``ChatError/tooLong(_:limit:)`` above the kind's limit, ``ChatError/malformed(_:)`` for an empty file; what the hub refuses.
    public func upload(
        _ bytes: [UInt8],
        as kind: UploadKind,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(ChatError) -> UploadAnswer {
        guard !bytes.isEmpty else { throw .malformed("file") }
        guard bytes.count <= kind.limit else { throw .tooLong("file", limit: kind.limit) }
        if bytes.count <= Self.wholeLimit { return try await whole(bytes, kind, progress) }
        let checksum = Hexadecimal.encode(Array(SHA256.hash(data: bytes)))
        let content = "\(kind.rawValue) \(checksum)"
        // One file may be in two messages that are sent at once: the second is an upload of its own.
        let isFirst = active.insert(content).inserted
        defer { if isFirst { active.remove(content) } }
        let known = isFirst ? unfinished.first { $0.content == content }?.id : nil
        do throws(ChatError) {
            let answer = try await parts(bytes, kind, checksum, continuing: known, content, isFirst, progress)
            forget(content)
            return answer
        } catch .refused(.uploadExpired, _) where known != nil {
            // The hub has let go of what was begun.
            forget(content)
            return try await parts(bytes, kind, checksum, continuing: nil, content, isFirst, progress)
        }
    }

    private func forget(_ content: String) { unfinished.removeAll { $0.content == content } }

    private func whole(
        _ bytes: [UInt8],
        _ kind: UploadKind,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(ChatError) -> UploadAnswer {
        progress(0)
        let answer = try await exchange(.post, "\(Self.wholePath)?type=\(kind.rawValue)", body: { .bytes(bytes) })
        progress(1)
        return try UploadAnswer(wire: try answer.data())
    }

    // MARK: In parts

    private func parts(
        _ bytes: [UInt8],
        _ kind: UploadKind,
        _ checksum: String,
        continuing known: String?,
        _ content: String,
        _ isRemembered: Bool,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(ChatError) -> UploadAnswer {
        var standing: Standing
        if let known {
            standing = try await self.standing(known, of: bytes.count)
        } else {
            standing = try await begin(bytes.count, kind)
            if isRemembered {
                if unfinished.count >= Self.memoryLimit { unfinished.removeFirst() }
                unfinished.append((content, standing.id))
            }
        }
        for _ in 0..<Self.cutLimit where standing.offset < bytes.count && standing.objectKey == nil {
            do throws(ChatError) {
                standing.offset = try await append(bytes, to: standing, progress)
            } catch  where error.isTransport {
                let now = try await self.standing(standing.id, of: bytes.count)
                // A line on which nothing goes forward is tried again later.
                guard now.offset > standing.offset || now.objectKey != nil else { throw error }
                standing = now
            }
        }
        progress(1)
        if let key = standing.objectKey { return try UploadAnswer(wire: ["objectKey": .string(key)]) }
        guard standing.offset == bytes.count else { throw .unreachable }
        return try await complete(standing.id, checksum)
    }

    private func begin(_ size: Int, _ kind: UploadKind) async throws(ChatError) -> Standing {
        let answer = try await exchange(.post, "\(Self.partsPath)?type=\(kind.rawValue)&size=\(size)")
        return try Self.standing(answer.data(), of: size)
    }

    private func standing(_ id: String, of size: Int) async throws(ChatError) -> Standing {
        try Self.standing(try await exchange(.get, "\(Self.partsPath)/\(id)").data(), of: size)
    }

    private static func standing(_ data: JSONValue, of size: Int) throws(ChatError) -> Standing {
        // The id becomes a part of addresses.
        guard let id = data["uploadID"]?.stringValue, (1...128).contains(id.utf8.count),
            id.utf8.allSatisfy({ $0 == 0x2D || $0 == 0x5F || (0x30...0x7A).contains($0) && isAlphanumeric($0) })
        else { throw .malformed("uploadID") }
        let key = data["objectKey"]?.stringValue
        return Standing(id: id, offset: try offset(data["offset"]?.integerValue, of: size), objectKey: key)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func offset(_ number: Int64?, of size: Int) throws(ChatError) -> Int {
        guard let number, (0...Int64(size)).contains(number) else { throw .malformed("offset") }
        return Int(number)
    }

    /// Sends the bytes behind the offset.
    ///
    /// - Returns: How far the hub has the file now.
    private func append(
        _ bytes: [UInt8],
        to standing: Standing,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(ChatError) -> Int {
        let fields: WebFields = ["Upload-Offset": "\(standing.offset)"]
        let answer = try await exchange(.patch, "\(Self.partsPath)/\(standing.id)", fields: fields) {
            let pieces = UploadPieces(bytes, from: standing.offset, pieceSize: Self.pieceSize, progress: progress)
            return .pieces(length: Int64(bytes.count - standing.offset)) { pieces.next() }
        }
        // 409 says where the hub's bytes end: another request for the same upload was quicker.
        guard answer.status == 204 || answer.status == 409 else {
            _ = try answer.data()
            throw .malformed("offset")
        }
        return try Self.offset(answer.fields["Upload-Offset"].flatMap { Int64($0) }, of: bytes.count)
    }

    private func complete(_ id: String, _ checksum: String) async throws(ChatError) -> UploadAnswer {
        let answer = try await exchange(.post, "\(Self.partsPath)/\(id)?sha256=\(checksum)")
        // The bytes there are not these: nothing of them is of use.
        if answer.status == 422 { throw .refused(.uploadExpired) }
        return try UploadAnswer(wire: try answer.data())
    }

    private func exchange(
        _ method: WebMethod,
        _ target: String,
        fields: WebFields = [:],
        body: @escaping @Sendable () -> WebBody = { .none }
    ) async throws(ChatError) -> HubRequests.Answer {
        try await requests.exchange { [hub = requests.hub] token throws(WebClientError) in
            var question = WebRequest(method, try WebURL(hub.base + target), fields: fields, body: body())
            question.fields.set("Authorization", "Bearer \(token)")
            if case .none = question.body {} else { question.timeouts = Self.timeouts }
            return question
        }
    }
}
