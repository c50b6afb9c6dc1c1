import Accounts
import Blobs
import Chat
import CommandClient
import Commands
import Foundation
import Kernel
import Synchronization
import Transport

/// The media of conversations for the page of this phone. What is shown in place is only what its bytes say is a picture or sound.
struct ChatPage: Sendable {
    private static let duration = Duration.seconds(600)
    /// Bytes of a file that are read at a time.
    private static let pieceSize = 256 << 10
    /// For how long a browser keeps a face, in seconds: another one may have its address then.
    private static let faceLife = 300

    let attachments: Attachments
    let work: BlockingWork
    /// The session now; nil while nobody is signed in.
    let parts: @Sendable () async -> ChatSessions.Parts?

    /// - Throws: `RouteError`.
    func routes() throws -> [HTTPRoute] {
        [
            try HTTPRoute(.get, "/api/chat/media", duration: Self.duration) { request, _ in
                await answering { try await media(request) }
            },
            try HTTPRoute(
                .post,
                "/api/chat/attachments",
                maximumBodyBytes: Attachments.byteLimit,
                duration: Self.duration
            ) { request, body in
                await answering {
                    _ = try await open()
                    return .json(["file": .string(try await attachments.take(body))])
                }
            },
            try HTTPRoute(.get, "/api/chat/flash", duration: Self.duration) { request, _ in
                await answering { try await flash(request) }
            },
            try HTTPRoute(.get, "/api/chat/avatar") { request, _ in
                await answering { try await avatar(request) }
            },
        ]
    }

    private func answering(_ body: () async throws -> HTTPRouteResponse) async -> HTTPRouteResponse {
        do { return try await body() } catch { return .failure(FailureReport(error)) }
    }

    private func open() async throws(ChatError) -> ChatSessions.Parts {
        guard let parts = await parts() else { throw .noAccount }
        return parts
    }

    private static func message(_ request: RouteRequest, in parts: ChatSessions.Parts) async throws -> MessageMedia {
        guard let conversation = request.query("conversation").flatMap(ConversationID.init) else {
            throw ChatError.malformed("conversation")
        }
        guard let id = request.query("id"), (1...ChatLimits.messageID).contains(id.utf8.count) else {
            throw ChatError.malformed("id")
        }
        return try await parts.session.repository.media(id, in: conversation)
    }

    // MARK: Answers

    private func media(_ request: RouteRequest) async throws -> HTTPRouteResponse {
        let parts = try await open()
        let index = request.query("index").map { Int($0) } ?? 0
        guard let index, index >= 0 else { throw ChatError.malformed("index") }
        let file = try await parts.desk.file(of: Self.message(request, in: parts), at: index)
        return try await served(file, request)
    }

    /// - Parameter life: For how long a browser may keep it, in seconds.
    private func served(
        _ file: ChatControl.File,
        _ request: RouteRequest,
        life: Int = 86_400
    ) async throws -> HTTPRouteResponse {
        let open = try await work.run { try MediaFile(file.path) }
        let fields = Self.fields(file.type) + [("Cache-Control", "private, max-age=\(life)")]
        return RangedAnswer.make(request, size: Int64(open.size), tag: nil, fields: fields) { range in
            let position = Mutex(Int(range.lowerBound))
            let end = Int(range.upperBound)
            return { [work] in
                let start = position.withLock(\.self)
                let piece = start..<min(start + Self.pieceSize, end)
                guard !piece.isEmpty else { return nil }
                let bytes = try await work.run { try open.bytes(piece) }
                position.withLock { $0 = piece.upperBound }
                return bytes
            }
        }
    }

    /// Its bytes, once and only in memory: neither this program nor the browser keeps them.
    private func flash(_ request: RouteRequest) async throws -> HTTPRouteResponse {
        let parts = try await open()
        let message = try await Self.message(request, in: parts)
        let (bytes, type) = try await parts.desk.flashBytes(of: message)
        try await parts.session.repository.noteFlashOpened(message.message.id, in: message.conversation)
        return HTTPRouteResponse(
            fields: Self.fields(type.rawValue) + [("Cache-Control", "no-store")],
            body: .bytes(bytes)
        )
    }

    private func avatar(_ request: RouteRequest) async throws -> HTTPRouteResponse {
        let parts = try await open()
        guard let user = request.query("user").flatMap({ UserID(imUserID: $0) }) else {
            throw ChatError.malformed("user")
        }
        let repository = parts.session.repository
        var profile = try await repository.stored.read { try $0.profile(user) }
        // Of oneself no conversation tells.
        if profile == nil, user == repository.account.user { profile = await repository.refreshProfile(of: user) }
        guard let key = profile.flatMap({ HubMedia.faceKey($0.avatar) }) else { throw ChatError.refused(.notFound) }
        return try await served(parts.desk.picture(key), request, life: Self.faceLife)
    }

    private static func fields(_ type: String) -> [(name: String, value: String)] {
        [
            ("Content-Type", type), ServedContent.disposition(.inline, name: "media"),
            ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", ServedContent.policy),
        ]
    }
}
