public import Commands
public import Foundation
public import Kernel

/// One terminal of a computer, as a phone shows it: its output in order and once, whatever the link does, and what is typed
/// in order and once. ``run(render:)`` does the work; the rest works while it runs.
public actor TerminalClient {
    public typealias Events = @Sendable () async throws -> AsyncStream<RemoteEvent>

    /// Without news for this long, the computer is asked whether there are some.
    static let quietLimit: Duration = .seconds(15)
    /// Bytes shown before the computer is told so: it sends on only so far.
    static let acknowledgeEvery = 96 * 1024
    static let resizeDelay: Duration = .milliseconds(50)
    static let retryDelay: Duration = .milliseconds(250)
    /// Events kept while one is shown. What is lost beyond them is asked for again.
    private static let inboxLimit = 64

    private enum News: Sendable {
        case event(RemoteEvent)
        case attach
    }

    public nonisolated let sessionID: String
    private let invoke: TerminalInvoke
    private let events: Events
    private let clock: any Clock<Duration>
    private let typing: TerminalTyping
    private let attachments = LatestValue(0)
    private let shown = LatestValue<Int64>(0)
    private let wantedSize = LatestValue<TerminalSize?>(nil)
    /// Nil before anything was shown of a terminal that somebody else opened: then its newest output is enough.
    private var lastSeq: Int64?
    private var unacknowledged = 0
    private var isQuiet = false

    /// - Parameters:
    ///   - isNew: Just created, so that its output is shown from the beginning.
    ///   - isNumbered: Whether the computer types numbered input in order and once, as ours does.
    ///   - events: What the computer tells from now on; called again when the stream ends.
    public init(
        sessionID: String,
        isNew: Bool,
        clock: any Clock<Duration> = ContinuousClock(),
        inputID: String = UUID.randomText(),
        isNumbered: Bool = true,
        invoke: @escaping TerminalInvoke,
        events: @escaping Events
    ) {
        self.sessionID = sessionID
        self.invoke = invoke
        self.events = events
        self.clock = clock
        lastSeq = isNew ? 0 : nil
        typing = TerminalTyping(
            sessionID: sessionID,
            inputID: inputID,
            isNumbered: isNumbered,
            invoke: invoke,
            clock: clock
        )
    }

    /// Opens a terminal on the computer.
    ///
    /// - Returns: Its session's id.
    public static func create(_ request: TerminalRequest, invoke: TerminalInvoke) async throws -> String {
        var params: [String: JSONValue] = [
            "cols": .integer(Int64(request.size.columns)), "rows": .integer(Int64(request.size.rows)),
            "env": .object(request.environment.mapValues(JSONValue.string)), "acknowledges": true,
        ]
        params["shell"] = request.shell.map(JSONValue.string)
        params["cwd"] = request.folder.map(JSONValue.string)
        let result = try await named { try await invoke("terminal.create", .object(params)) }
        guard let id = result["sessionId"]?.stringValue else { throw RemoteError.malformedResult }
        return id
    }

    /// Shows the output until the shell has ended or the caller is cancelled. While `render` shows one piece, no other comes;
    /// a slow one makes the program on the computer wait. Once only.
    ///
    /// - Throws: ``TerminalError/sessionNotFound``, `RemoteFailure` where the computer refuses, what `render` throws.
    public func run(render: @escaping @Sendable (TerminalOutput) async throws -> Void) async throws {
        let (inbox, post) = AsyncStream.makeStream(of: News.self, bufferingPolicy: .bufferingNewest(Self.inboxLimit))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.followEvents(post) }
            group.addTask { for await count in self.attachments.values() where count > 0 { post.yield(.attach) } }
            group.addTask { try await self.watchQuiet() }
            group.addTask { try await self.typing.run() }
            group.addTask { try await self.followSize() }
            group.addTask { try await self.acknowledge() }
            group.addTask { try await self.show(inbox, render) }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    /// Takes what a keyboard or a paste gave.
    ///
    /// - Throws: ``TerminalError/inputFull`` while the computer takes nothing.
    public func type(_ bytes: [UInt8]) async throws(TerminalError) { try await typing.type(bytes) }

    /// Many changes in a row, as when a window is dragged, become one.
    public nonisolated func resize(to size: TerminalSize) { wantedSize.set(size) }

    /// The link is back: asks for what was missed.
    public nonisolated func reattach() { attachments.update { $0 += 1 } }

    /// Ends the shell.
    public func close() async throws {
        _ = try await Self.named { [sessionID, invoke] in
            try await invoke("terminal.close", ["sessionId": .string(sessionID)])
        }
    }

    /// Leaves the shell running and tells the computer to send nothing more.
    public func detach() async throws {
        _ = try await invoke("terminal.unsubscribe", ["sessionId": .string(sessionID)])
    }

    // MARK: Output

    private func show(
        _ inbox: AsyncStream<News>,
        _ render: @Sendable (TerminalOutput) async throws -> Void
    ) async throws {
        for await news in inbox {
            var isShown = false
            while !isShown {
                do {
                    if try await show(news, render) { return }
                    isShown = true
                } catch  where RemoteError.isPassing(error) {
                    try await clock.sleep(for: Self.retryDelay)
                }
            }
        }
    }

    /// - Returns: Whether that was the last.
    private func show(_ news: News, _ render: (TerminalOutput) async throws -> Void) async throws -> Bool {
        switch news {
        case .attach:
            return try await attach(render)
        case .event(let event) where event.name == "terminal.exit":
            try await repair(render)
            try await render(Self.exit(in: .object(event.members)))
            return true
        case .event(let event):
            isQuiet = false
            guard let seq = event.members["seq"]?.integerValue, let data = event.members["data"]?.stringValue else {
                return false
            }
            if seq != (lastSeq ?? 0) + 1 { try await repair(before: seq, render) }
            try await show(data, seq: seq, render)
            return false
        }
    }

    /// A number that was shown before is a repeat.
    private func show(_ data: String, seq: Int64, _ render: (TerminalOutput) async throws -> Void) async throws {
        guard seq > lastSeq ?? 0 else { return }
        if let lastSeq, seq > lastSeq + 1 { try await render(.truncated) }
        lastSeq = seq
        try await render(.text(data))
        unacknowledged += data.utf8.count
        guard unacknowledged >= Self.acknowledgeEvery else { return }
        unacknowledged = 0
        shown.set(seq)
    }

    private func repair(before seq: Int64, _ render: (TerminalOutput) async throws -> Void) async throws {
        if seq > lastSeq ?? 0 { try await repair(render) }
    }

    /// Shows what was missed, up to now.
    private func repair(_ render: (TerminalOutput) async throws -> Void) async throws {
        var hasMore = true
        while hasMore {
            let first = lastSeq.map { $0 + 1 } ?? 0
            let answer = try await Self.named { [sessionID, invoke] in
                try await invoke("terminal.history", ["sessionId": .string(sessionID), "fromSeq": .integer(first)])
            }
            let history = try TerminalHistory(answer)
            for chunk in history.chunks { try await show(chunk.data, seq: chunk.seq, render) }
            // Something new each time, or a computer that is wrong about it would be asked for ever.
            hasMore = history.hasMore && (lastSeq ?? 0) >= first
        }
    }

    private func attach(_ render: (TerminalOutput) async throws -> Void) async throws -> Bool {
        let params: JSONValue = ["sessionId": .string(sessionID), "acknowledges": true]
        let answer = try await Self.named { [invoke] in try await invoke("terminal.list", params) }
        let entry = (answer["sessions"]?.arrayValue ?? answer.arrayValue ?? []).first {
            $0["id"]?.stringValue == sessionID
        }
        guard let entry else { throw TerminalError.sessionNotFound }
        if (entry["lastSeq"]?.integerValue ?? 0) > lastSeq ?? 0 { try await repair(render) }
        guard entry["alive"]?.boolValue != false else {
            try await render(Self.exit(in: entry))
            return true
        }
        // The computer may have stopped sending because it was not told.
        if let lastSeq, lastSeq > 0 { try await acknowledge(lastSeq) }
        return false
    }

    private static func exit(in value: JSONValue) -> TerminalOutput {
        .exited(
            code: value["exitCode"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0,
            signal: value["signal"]?.integerValue.flatMap(Int.init(exactly:))
        )
    }

    // MARK: Beside the output

    private func followEvents(_ post: AsyncStream<News>.Continuation) async throws {
        while true {
            do {
                let stream = try await events()
                reattach()
                for await event in stream where isOurs(event) { post.yield(.event(event)) }
            } catch  where RemoteError.isPassing(error) {
                // Asked again below.
            }
            try await clock.sleep(for: Self.retryDelay)
        }
    }

    private nonisolated func isOurs(_ event: RemoteEvent) -> Bool {
        (event.name == "terminal.stdout" || event.name == "terminal.exit")
            && event.members["sessionId"]?.stringValue == sessionID
    }

    private func watchQuiet() async throws {
        while true {
            isQuiet = true
            try await clock.sleep(for: Self.quietLimit)
            if isQuiet { reattach() }
        }
    }

    private func followSize() async throws {
        var sent: TerminalSize?
        for await first in wantedSize.values() where first != nil {
            while let size = wantedSize.value, size != sent {
                try await clock.sleep(for: Self.resizeDelay)
                guard size == wantedSize.value else { continue }
                do {
                    let params: JSONValue = [
                        "sessionId": .string(sessionID), "cols": .integer(Int64(size.columns)),
                        "rows": .integer(Int64(size.rows)),
                    ]
                    _ = try await invoke("terminal.resize", params)
                    sent = size
                } catch is RemoteFailure {
                    sent = size  // refused: the shell has ended, which its output says
                } catch  where RemoteError.isPassing(error) {
                    try await clock.sleep(for: Self.retryDelay)
                }
            }
        }
    }

    private func acknowledge() async throws {
        for await seq in shown.values() where seq > 0 { try await acknowledge(seq) }
    }

    private func acknowledge(_ seq: Int64) async throws {
        do {
            _ = try await invoke("terminal.ack", ["sessionId": .string(sessionID), "seq": .integer(seq)])
        } catch is RemoteFailure {
            // A computer that does not know it sends without being told.
        } catch  where RemoteError.isPassing(error) {
            // The next one says it too.
        }
    }

    /// Gives the computer's refusals their sentences.
    private static func named(_ call: () async throws -> JSONValue) async throws -> JSONValue {
        do {
            return try await call()
        } catch let failure as RemoteFailure {
            throw TerminalError(failure) ?? failure as any Error
        }
    }
}
