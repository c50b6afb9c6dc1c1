import CommandClient
import Commands
import Kernel
import Rights
import Transport

/// A live view of a computer's display in a page: its frames in binary messages as they come, everything else as JSON in text messages.
struct ScreenSocket: Sendable {
    /// Of either direction: a part of a picture with what says where it belongs.
    private static let messageBytes = ScreenFrame.partLimit + 1024

    private let socket: any WebSocketPeer

    /// - Throws: `RouteError`.
    static func route(_ computers: any PairedComputers) throws -> WebSocketRoute {
        try WebSocketRoute(
            "/api/screen/live",
            maximumMessageBytes: messageBytes,
            readAheadBytes: messageBytes,
            keepAlive: .seconds(20)
        ) { socket, request in
            let screen = ScreenSocket(socket: socket)
            do {
                try await screen.run(request, computers)
            } catch let error where !(error is CancellationError) && !(error is WebSocketError) {
                try await screen.tell(["error": FailureReport(error, right: Right.display.rawValue).json])
            }
        }
    }

    private func run(_ request: RouteRequest, _ computers: any PairedComputers) async throws {
        let display = try ScreenPage.number(request, "display", in: 0...255) ?? 0
        let maxWidth = try ScreenPage.number(request, "maxWidth", in: ScreenViewQuery.widths) ?? 1280
        let peer = try await computers.peer(named: request.query("device"))
        let part = try await computers.part(ScreenPart.self, forComputer: peer.id)
        let view = try await part.open(display: display, maxWidth: maxWidth)
        do {
            try await show(view)
        } catch {
            await view.close()
            throw error
        }
        await view.close()
    }

    private func show(_ view: LiveScreen) async throws {
        if let opened = view.opened { try await tell(["view": opened.wire]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await frame in view.frames() {
                    try await socket.send(binary: frame.bytes)
                    view.taken(frame)
                }
            }
            group.addTask { try await listen(view) }
            defer { group.cancelAll() }
            try await group.next()
        }
        switch view.ended {
        case .computer(.notAllowed):
            throw RemoteFailure(
                code: FailureCode.notAllowed,
                message: "This phone may not see the computer's screen any more."
            )
        case .computer(let reason): try await tell(["ended": .string(reason.word)])
        case .lost: throw RemoteError.notConnected
        case .malformed: throw RemoteError.malformedResult
        // The page is gone.
        case nil: break
        }
    }

    private func listen(_ view: LiveScreen) async throws {
        for await message in socket.messages {
            guard case .text(let bytes) = message, let value = try? JSONValue(parsing: bytes),
                let picture = value["shown"]?.integerValue.flatMap(UInt32.init(exactly:))
            else { throw RemoteError.invalidArgument("a message of the page says which picture is shown") }
            try await view.shown(picture, wantsAll: value["all"]?.boolValue ?? false)
        }
    }

    private func tell(_ value: JSONValue) async throws { try await socket.send(text: value.canonicalBytes) }
}

extension ScreenViewEnd {
    /// The word for a page.
    fileprivate var word: String {
        switch self {
        case .closed, .notAllowed: "closed"
        case .changed, .unknownView: "changed"
        case .failed, .unknown: "failed"
        case .silence: "silence"
        case .replaced: "replaced"
        }
    }
}
