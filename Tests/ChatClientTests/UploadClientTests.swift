import Accounts
import AccountsClient
import Chat
import Crypto
import Kernel
import Synchronization
import Testing
import WebClient
import WebClientTesting

@testable import ChatClient

/// Uploads against a hub's rules in memory, over a network that cuts them.
@Suite(.timeLimit(.minutes(1))) struct UploadClientTests {
    /// One token for everything.
    struct OneToken: AccessTokenSource {
        func token() async throws -> String { "t" }
        func token(replacing refused: String) async throws -> String { "t" }
    }

    /// The uploads of a hub, as `docs/blobs.md` has them.
    final class Hub: Sendable {
        struct State {
            var uploads: [String: [UInt8]] = [:]
            var sizes: [String: Int] = [:]
            var whole: [UInt8]?
            var cuts: [Int] = []
            var asked: [String] = []
        }

        let state = Mutex(State())

        /// - Parameter cuts: After how many bytes each request that sends a file is cut.
        init(cutting cuts: [Int] = []) { state.withLock { $0.cuts = cuts } }

        var asked: [String] { state.withLock(\.asked) }

        func forgetAll() { state.withLock { $0.uploads = [:] } }

        func answer(_ request: WebRequest) async throws -> CollectedAnswer {
            let target = request.url.text.dropFirst("https://hub.example".count)
            let path = String(target.prefix { $0 != "?" })
            state.withLock { $0.asked.append("\(request.method.rawValue) \(path)") }
            let id = path.split(separator: "/").count == 3 ? String(path.split(separator: "/")[2]) : ""
            switch (request.method, path) {
            case (.post, UploadClient.wholePath):
                guard case .bytes(let bytes) = request.body else { return try refused(.badArguments) }
                state.withLock { $0.whole = bytes }
                return try answered(["objectKey": "chat/image/2026/11/27/whole.jpg"])
            case (.post, UploadClient.partsPath):
                let size = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
                let id = state.withLock { state in
                    let id = "u\(state.sizes.count + 1)"
                    (state.uploads[id], state.sizes[id]) = ([], size)
                    return id
                }
                return try answered(["uploadID": .string(id), "offset": 0], status: 201)
            default: break
            }
            guard let bytes = state.withLock({ $0.uploads[id] }) else {
                return try refused(.uploadExpired, status: 404)
            }
            switch request.method {
            case .get: return try answered(["uploadID": .string(id), "offset": .integer(Int64(bytes.count))])
            case .patch: return try await append(request, to: id, bytes.count)
            default:
                let checksum = Hexadecimal.encode(Array(SHA256.hash(data: bytes)))
                guard target.hasSuffix("sha256=\(checksum)") else { return try refused(.badArguments, status: 422) }
                return try answered(["objectKey": .string("chat/audio/2026/11/27/\(id).ogg")])
            }
        }

        private func append(_ request: WebRequest, to id: String, _ count: Int) async throws -> CollectedAnswer {
            guard request.fields["Upload-Offset"] == "\(count)" else {
                return CollectedAnswer(status: 409, fields: ["Upload-Offset": "\(count)"])
            }
            guard case .pieces(_, let next) = request.body else { return try refused(.badArguments) }
            var left = state.withLock { $0.cuts.isEmpty ? Int.max : $0.cuts.removeFirst() }
            while let piece = try await next() {
                state.withLock { $0.uploads[id, default: []] += piece.prefix(left) }
                left -= piece.count
                if left <= 0 { throw WebClientError.connectionLost(origin: "https://hub.example:443") }
            }
            let end = state.withLock { $0.uploads[id]?.count ?? 0 }
            return CollectedAnswer(status: 204, fields: ["Upload-Offset": "\(end)"])
        }

        private func answered(_ data: JSONValue, status: Int = 200) throws -> CollectedAnswer {
            CollectedAnswer(status: status, body: try JSONValue(encoding: IMEnvelope(data)).canonicalBytes)
        }

        private func refused(_ code: IMErrorCode, status: Int = 400) throws -> CollectedAnswer {
            let envelope = IMEnvelope(IMFailure(code, detail: "no"))
            return CollectedAnswer(status: status, body: try JSONValue(encoding: envelope).canonicalBytes)
        }
    }

    private static func client(_ hub: Hub) throws -> UploadClient {
        UploadClient(
            hub: try WebURL("https://hub.example"),
            web: ScriptedWebClient { try await hub.answer($0) },
            tokens: OneToken()
        )
    }

    private static let large = [UInt8]((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    @Test("a small file goes in one request, of which the progress ends at 1")
    func small() async throws {
        let hub = Hub()
        let seen = Mutex<[Double]>([])
        let answer = try await Self.client(hub).upload([1, 2, 3], as: .image) { part in
            seen.withLock { $0.append(part) }
        }
        #expect(answer.objectKey == "chat/image/2026/11/27/whole.jpg")
        #expect(hub.asked == ["POST /chat/upload"])
        #expect(hub.state.withLock(\.whole) == [1, 2, 3])
        #expect(seen.withLock(\.self) == [0, 1])
    }

    @Test("an upload that is cut goes on where the hub's bytes end, with progress that only grows")
    func resumed() async throws {
        let hub = Hub(cutting: [100_000, 300_000])
        let seen = Mutex<[Double]>([])
        let answer = try await Self.client(hub).upload(Self.large, as: .voice) { part in
            seen.withLock { $0.append(part) }
        }
        #expect(answer.objectKey.hasSuffix("/u1.ogg"))
        #expect(hub.state.withLock { $0.uploads["u1"] } == Self.large)
        let asked = hub.asked
        #expect(asked.filter { $0.hasPrefix("PATCH") }.count == 3)
        #expect(asked.filter { $0.hasPrefix("GET") }.count == 2)
        #expect(seen.withLock { $0.last } == 1)
    }

    @Test("where the hub is away the upload fails, and the next call goes on with it; one that it forgot begins anew")
    func later() async throws {
        // The second cut brings nothing further.
        let hub = Hub(cutting: [100_000, 0])
        let client = try Self.client(hub)
        await #expect(throws: ChatError.unreachable) { try await client.upload(Self.large, as: .voice) }
        let answer = try await client.upload(Self.large, as: .voice)
        #expect(answer.objectKey.hasSuffix("/u1.ogg"))
        #expect(hub.asked.filter { $0 == "POST /chat/uploads" }.count == 1)

        let other = Hub(cutting: [0])
        let second = try Self.client(other)
        await #expect(throws: ChatError.unreachable) { try await second.upload(Self.large, as: .voice) }
        other.forgetAll()
        #expect(try await second.upload(Self.large, as: .voice).objectKey.hasSuffix("/u2.ogg"))
    }

    @Test("files that are empty or too large are not sent")
    func refused() async throws {
        let hub = Hub()
        let client = try Self.client(hub)
        await #expect(throws: ChatError.malformed("file")) { try await client.upload([], as: .image) }
        let limit = UploadKind.voice.limit
        await #expect(throws: ChatError.tooLong("file", limit: limit)) {
            try await client.upload([UInt8](repeating: 0, count: limit + 1), as: .voice)
        }
        #expect(hub.asked == [])
    }

    @Test(
        "an answer whose id is a path, or whose offset is none of the file's, is no answer",
        arguments: [
            ["uploadID": "../../account/delete", "offset": 0], ["uploadID": "u1", "offset": -1],
            ["uploadID": "u1", "offset": 9_000_000], ["offset": 0],
        ] as [JSONValue]
    )
    func hostile(data: JSONValue) async throws {
        let web = ScriptedWebClient { _ in
            CollectedAnswer(status: 201, body: try JSONValue(encoding: IMEnvelope(data)).canonicalBytes)
        }
        let client = UploadClient(hub: try WebURL("https://hub.example"), web: web, tokens: OneToken())
        await #expect(throws: ChatError.self) { try await client.upload(Self.large, as: .voice) }
        #expect(web.requests.count == 1)
    }
}
