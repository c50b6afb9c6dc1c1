public import Commands
public import Foundation
public import Kernel

/// One terminal of a computer, as a phone shows it: its output in order and once, whatever the link does, and what is typed
/// in order and once. ``run(render:)`` does the work; the rest works while it runs.
public actor TerminalClient {
    /// The time without news after which the computer is asked whether there are some.
    static let quietLimit: Duration = .seconds(15)
    /// Bytes shown before the computer is told so: it sends on only so far.
    static let acknowledgeEvery = 96 * 1024
    static let resizeDelay: Duration = .milliseconds(50)
    static let retryDelay: Duration = .milliseconds(250)
    /// Events kept while one is shown. What is lost beyond them is asked for again.
    private static let inboxLimit = 64

    /// The window's size, and how often it was said: each time somebody looks at it, the terminal is to take it again.
    private struct Wish: Hashable {
        var size: TerminalSize
        var looks = 0
    }

    private enum News: Sendable {
        case event(TerminalEvent)
        case attach
    }

    /// The terminal's id at its computer.
    public nonisolated let sessionID: String
    private let peer: any Peer
    private let time: any TimeSource
    private let typing: TerminalTyping
    private let inputID: String
    private let attachments = LatestValue(0)
    private let shown = LatestValue<Int64>(0)
    private let wish = LatestValue<Wish?>(nil)
    private var told: Wish?
    /// Whether the computer knows several viewers of a terminal; nil before it has answered.
    private var knowsViewers: Bool?
    private var shownSize: TerminalSize?
    /// Nil before anything was shown of a terminal that another device opened: then its newest output is enough.
    private var lastSeq: Int64?
    private var unacknowledged = 0
    private var isQuiet = false

    /// - Parameters:
    ///   - isNew: Just created, so that its output is shown from the beginning.
    ///   - peer: The computer. One that is not sealed is another program, which does not type numbered input in order and once as ours does.
    ///   - size: The window's, where the terminal was created with it.
    ///   - inputID: Tells this window, and what is typed in it, from others; at most 64 bytes.
    public init(
        sessionID: String,
        isNew: Bool,
        size: TerminalSize? = nil,
        peer: any Peer,
        time: any TimeSource = .system,
        inputID: String = UUID.randomText()
    ) {
        self.sessionID = sessionID
        self.peer = peer
        self.time = time
        lastSeq = isNew ? 0 : nil
        self.inputID = inputID
        if let size {
            wish.set(Wish(size: size))
            told = Wish(size: size)
        }
        typing = TerminalTyping(sessionID: sessionID, inputID: inputID, peer: peer, time: time)
    }

    /// Shows the output until the shell has ended or the caller is cancelled. While `render` shows one piece, no other comes;
    /// a slow one makes the program on the computer wait. Once only.
    ///
    /// - Parameter caughtUp: Called once, when what the shell had written before is shown.
    /// - Throws: ``TerminalError/sessionNotFound``, `RemoteFailure` where the computer refuses, `RemoteError/malformedResult` where its
    ///   answers cannot be read, what `render` throws.
    public func run(
        caughtUp: @escaping @Sendable () async throws -> Void = {},
        render: @escaping @Sendable (TerminalOutput) async throws -> Void
    ) async throws {
        let (inbox, post) = AsyncStream.makeStream(of: News.self, bufferingPolicy: .bufferingNewest(Self.inboxLimit))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.followEvents(post) }
            group.addTask { try await self.followReachability() }
            group.addTask { for await count in self.attachments.values() where count > 0 { post.yield(.attach) } }
            group.addTask { try await self.watchQuiet() }
            group.addTask { try await self.typing.run() }
            group.addTask { try await self.followSize() }
            group.addTask { try await self.acknowledge() }
            group.addTask { try await self.show(inbox, caughtUp, render) }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    /// Takes what a keyboard or a paste gave.
    ///
    /// - Throws: ``TerminalError/inputFull`` while the computer takes nothing.
    public func type(_ bytes: [UInt8]) async throws(TerminalError) { try await typing.type(bytes) }

    /// Takes what a keyboard or a paste gave; while the computer takes nothing, the caller waits. One caller at a time, to keep the order.
    ///
    /// - Throws: `CancellationError`.
    public func typeAll(_ bytes: [UInt8]) async throws { try await typing.typeAll(bytes) }

    /// The window has this size and somebody looks at it, so that the terminal takes it: also where it has been said before, when another
    /// window may have had it meanwhile. Many changes in a row, as when a window is dragged, become one.
    public nonisolated func resize(to size: TerminalSize) {
        wish.update { $0 = Wish(size: size, looks: ($0?.looks ?? 0) + 1) }
    }

    /// Asks for what was missed, as is done when the computer is reached again.
    public nonisolated func reattach() { attachments.update { $0 += 1 } }

    /// Ends the shell.
    ///
    /// - Throws: ``TerminalError``, `RemoteFailure`, `RemoteError`.
    public func close() async throws { try await TerminalsClient(peer).close(sessionID) }

    /// Leaves the shell running and tells the computer to send nothing more for this window.
    ///
    /// - Throws: `RemoteFailure`, `RemoteError`.
    public func detach() async throws {
        let params = TerminalMethods.Unsubscribe(sessionID, viewerID: inputID)
        _ = try await peer.call(TerminalMethods.unsubscribe, params)
    }

    /// Like ``detach()``, for a window that is gone: the terminal's size goes back to who looked before. A computer that does not know
    /// several viewers is not told, since it would send nothing more to the others either.
    public func leave() async throws {
        if knowsViewers == true { try await detach() }
    }

    // MARK: Output

    private func show(
        _ inbox: AsyncStream<News>,
        _ caughtUp: @Sendable () async throws -> Void,
        _ render: @Sendable (TerminalOutput) async throws -> Void
    ) async throws {
        var isBehind = true
        for await news in inbox {
            var isShown = false
            while !isShown {
                do {
                    if try await show(news, render) { return }
                    isShown = true
                    if isBehind, case .attach = news {
                        isBehind = false
                        try await caughtUp()
                    }
                } catch  where RemoteError.isPassing(error) {
                    try await time.sleep(for: Self.retryDelay)
                }
            }
        }
    }

    /// - Returns: Whether that was the last.
    private func show(_ news: News, _ render: (TerminalOutput) async throws -> Void) async throws -> Bool {
        switch news {
        case .attach:
            return try await attach(render)
        case .event(.exit(let code, let signal)):
            try await repair(render)
            try await render(.exited(code: code, signal: signal))
            return true
        case .event(.resized(let size)):
            try await show(size, render)
            return false
        case .event(.output(let text, let seq)):
            isQuiet = false
            if seq != (lastSeq ?? 0) + 1 { try await repair(before: seq, render) }
            try await show(text, seq: seq, render)
            return false
        }
    }

    /// A number that was shown before is a repeat.
    ///
    /// - Parameter state: What brings a screen to where this begins, for one that did not show what came before.
    private func show(
        _ data: String,
        seq: Int64,
        after state: String? = nil,
        _ render: (TerminalOutput) async throws -> Void
    ) async throws {
        guard seq > lastSeq ?? 0 else { return }
        let isGap = lastSeq.map { seq > $0 + 1 } ?? true
        if isGap, lastSeq != nil { try await render(.truncated) }
        if isGap, let state { try await render(.state(state)) }
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
            let history = try await peer.ask(
                TerminalMethods.history,
                TerminalMethods.Past(sessionID: sessionID, from: first)
            )
            for (index, chunk) in history.chunks.enumerated() {
                try await show(chunk.data, seq: chunk.seq, after: index == 0 ? history.state : nil, render)
            }
            // Something new each time, or a computer that is wrong about it would be asked for ever.
            hasMore = history.hasMore && (lastSeq ?? 0) >= first
        }
    }

    private func show(_ size: TerminalSize, _ render: (TerminalOutput) async throws -> Void) async throws {
        // A window that has told no size draws none.
        guard let own = wish.value?.size, size != shownSize ?? own else { return }
        shownSize = size
        try await render(.resized(size))
    }

    private func attach(_ render: (TerminalOutput) async throws -> Void) async throws -> Bool {
        let list = try await peer.ask(
            TerminalMethods.list,
            TerminalMethods.List(sessionID: sessionID, acknowledges: true)
        )
        guard let entry = list[sessionID] else { throw TerminalError.sessionNotFound }
        if let size = entry.size {
            // A computer that did not reach this device for a while has forgotten its windows.
            if knowsViewers == true, entry.isAlive, let told { try await tell(told, isLooking: false) }
            knowsViewers = true
            try await show(size, render)
        }
        if entry.lastSeq > lastSeq ?? 0 { try await repair(render) }
        guard entry.isAlive else {
            try await render(.exited(code: entry.exitCode ?? 0, signal: entry.signal))
            return true
        }
        // The computer may have stopped sending because it was not told.
        if let lastSeq, lastSeq > 0 { try await acknowledge(lastSeq) }
        return false
    }

    // MARK: Beside the output

    private func followEvents(_ post: AsyncStream<News>.Continuation) async throws {
        while true {
            do {
                let stream = try await peer.events()
                reattach()
                for await event in stream {
                    if let ours = TerminalEvent(event, session: sessionID) { post.yield(.event(ours)) }
                }
            } catch  where RemoteError.isPassing(error) {
                // Asked again below.
            }
            try await time.sleep(for: Self.retryDelay)
        }
    }

    /// A link that is back brings what was missed at once.
    private func followReachability() async throws {
        while true {
            do {
                for await isReached in try await peer.reachability() where isReached { reattach() }
            } catch  where RemoteError.isPassing(error) {
                // Asked again below.
            }
            try await time.sleep(for: Self.retryDelay)
        }
    }

    private func watchQuiet() async throws {
        while true {
            isQuiet = true
            try await time.sleep(for: Self.quietLimit)
            if isQuiet { reattach() }
        }
    }

    private func followSize() async throws {
        for await first in wish.values() where first != nil {
            while let wanted = wish.value, wanted != told {
                try await time.sleep(for: Self.resizeDelay)
                guard wanted == wish.value else { continue }
                do {
                    try await tell(wanted, isLooking: true)
                } catch  where RemoteError.isPassing(error) {
                    try await time.sleep(for: Self.retryDelay)
                }
            }
        }
    }

    private func tell(_ wanted: Wish, isLooking: Bool) async throws {
        do {
            let params = TerminalMethods.Resize(
                sessionID: sessionID,
                size: wanted.size,
                viewerID: inputID,
                isLooking: isLooking
            )
            _ = try await peer.call(TerminalMethods.resize, params)
        } catch is RemoteFailure {
            // Refused: the shell has ended, which its output says.
        }
        if isLooking { told = wanted }
    }

    private func acknowledge() async throws {
        for await seq in shown.values() where seq > 0 { try await acknowledge(seq) }
    }

    private func acknowledge(_ seq: Int64) async throws {
        do {
            let params = TerminalMethods.Acknowledgement(sessionID: sessionID, seq: seq)
            _ = try await peer.call(TerminalMethods.acknowledge, params)
        } catch is RemoteFailure {
            // A computer that does not know it sends without being told.
        } catch  where RemoteError.isPassing(error) {
            // The next one says it too.
        }
    }
}
