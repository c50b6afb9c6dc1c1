import CommandClient
import Commands
import Kernel
import Rights
import Transport

/// A terminal of a computer in a page: its bytes both ways in binary messages, everything else as JSON in text messages.
///
/// The page says how many bytes it has drawn; further ahead than ``window`` nothing is sent, so that the program at the computer waits for
/// a page that draws slowly, and an interrupt that is typed meanwhile is not behind a megabyte of output.
struct TerminalSocket: Sendable {
    /// Bytes that are sent and not acknowledged at most, but for one piece. A browser draws four megabytes a second: it has done with as
    /// much in a thirtieth of one.
    static let window = 128 << 10
    private static let messageBytes = 256 << 10
    /// Messages of the page that wait while the computer takes none.
    private static let inputLimit = 64

    private enum End: Hashable, Sendable {
        case exited(code: Int, signal: Int?)
        case detached
        /// The page has gone.
        case closed
    }

    private let socket: any WebSocketPeer
    /// Bytes that the page has drawn.
    private let drawn = LatestValue<Int>(0)

    /// - Throws: `RouteError`.
    static func route(_ computers: any PairedComputers) throws -> WebSocketRoute {
        try WebSocketRoute(
            "/api/terminal",
            maximumMessageBytes: messageBytes,
            readAheadBytes: messageBytes,
            keepAlive: .seconds(20)
        ) { socket, request in
            let terminal = TerminalSocket(socket: socket)
            do {
                try await terminal.run(request, computers)
            } catch let error where !(error is CancellationError) && !(error is WebSocketError) {
                let right = Right.terminal.rawValue
                try await terminal.tell(["error": FailureReport(error, right: right).json])
            }
        }
    }

    private init(socket: any WebSocketPeer) { self.socket = socket }

    private func run(_ request: RouteRequest, _ computers: any PairedComputers) async throws {
        let client = try await Self.client(
            request,
            TerminalsClient(try await computers.peer(named: request.query("device")))
        )
        try await tell(["session": .string(client.sessionID)])
        let (keys, typed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.inputLimit))
        let end = try await withThrowingTaskGroup(of: End?.self) { group in
            group.addTask { try await self.show(client) }
            group.addTask { try await self.listen(client, typed) }
            group.addTask {
                for await bytes in keys { try await client.typeAll(bytes) }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw TerminalError.sessionNotFound
        }
        switch end {
        case .exited(let code, let signal):
            try await tell([
                "exit": ["code": .integer(Int64(code)), "signal": signal.map { .integer(Int64($0)) } ?? .null]
            ])
        case .detached: try await client.detach()
        // The page is gone without a word: reloaded, or its window closed.
        case .closed: try await client.leave()
        }
    }

    private static func client(_ request: RouteRequest, _ terminals: TerminalsClient) async throws -> TerminalClient {
        let size = try TerminalSize(columns: try number(request, "cols"), rows: try number(request, "rows"))
        guard let running = request.query("sessionId") else {
            return try await terminals.open(
                TerminalRequest(shell: request.query("shell"), folder: request.query("cwd"), size: size)
            )
        }
        // A running terminal waits for its computer; the caller is told when a new one's is away, and that there is no such terminal.
        guard try await terminals.list().contains(where: { $0.id == running }) else {
            throw TerminalError.sessionNotFound
        }
        let client = terminals.attach(to: running)
        client.resize(to: size)
        return client
    }

    private static func number(_ request: RouteRequest, _ name: String) throws -> Int64 {
        guard let number = request.query(name).flatMap(Int64.init) else { throw TerminalError.invalidDimensions }
        return number
    }

    /// - Returns: How the shell ended.
    private func show(_ client: TerminalClient) async throws -> End? {
        let end = LatestValue<End?>(nil)
        let sent = LatestValue(0)
        try await client.run(caughtUp: { try await tell(["live": true]) }) { output in
            switch output {
            case .text(let text), .state(let text):
                let bytes = Array(text.utf8)
                try await room(after: sent.value)
                sent.update { $0 += bytes.count }
                try await socket.send(binary: bytes)
            case .resized(let size):
                try await tell(["size": [.integer(Int64(size.columns)), .integer(Int64(size.rows))]])
            case .truncated: try await tell(["notice": "truncated"])
            case .exited(let code, let signal): end.set(.exited(code: code, signal: signal))
            }
        }
        return end.value
    }

    /// Returns once the page has drawn enough of what was sent.
    private func room(after sent: Int) async throws {
        for await drawn in drawn.values() where sent - drawn < Self.window { return }
        throw CancellationError()
    }

    private func listen(_ client: TerminalClient, _ typed: AsyncStream<[UInt8]>.Continuation) async throws -> End? {
        for await message in socket.messages {
            switch message {
            case .binary(let bytes):
                guard case .enqueued = typed.yield(bytes) else { throw TerminalError.inputFull }
            case .text(let bytes):
                guard let value = try? JSONValue(parsing: bytes) else {
                    throw RemoteError.invalidArgument("a message of the page is not JSON")
                }
                if let count = value["ack"]?.integerValue.flatMap(Int.init(exactly:)), count > 0 {
                    drawn.update { $0 = max($0, $0 &+ min(count, Self.window * 2)) }
                } else if let size = value["resize"]?.arrayValue?.compactMap(\.integerValue), size.count == 2 {
                    client.resize(to: try TerminalSize(columns: size[0], rows: size[1]))
                } else if value["detach"]?.boolValue == true {
                    return .detached
                }
            }
        }
        return .closed
    }

    private func tell(_ value: JSONValue) async throws { try await socket.send(text: value.canonicalBytes) }
}
