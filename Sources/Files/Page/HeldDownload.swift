import Commands
import Kernel
import Synchronization

/// A file that the browser itself fetches, as a page sees and steers it: the bytes go to the browser's downloads, which tell a page nothing.
///
/// One response at a time gives its bytes. Where that one is cut, the browser may go on in another, which asks for the rest of the same version.
final class HeldDownload: Sendable {
    enum State: String, Sendable {
        /// The browser has not asked for it yet.
        case ready
        case running
        case paused
        /// The computer is not reached. The response stays open, and goes on when it is.
        case away
        case done
        case failed
        case cancelled
    }

    /// How it stands.
    struct Status: Sendable {
        let state: State
        /// How far it was given to the browser, in bytes of the file.
        let done: Int64
        let size: Int64
        /// Why it failed, for one that did.
        let error: FailureReport?

        var json: JSONValue {
            var members: [String: JSONValue] = [
                "state": .string(state.rawValue), "done": .integer(done), "size": .integer(size),
            ]
            members["error"] = error?.json
            return .object(members)
        }
    }

    private enum End {
        case done
        case failed(any Error)
        /// By the page: another request of the browser's gets nothing more of it. Else the browser closed the connection, and may come back.
        case cancelled(byPage: Bool)
    }

    private struct Members {
        var size: Int64
        var version: String?
        /// For the first response, which then need not ask again.
        var first: RemoteTransfer?
        var done: Int64 = 0
        var isPaused = false
        /// Whether the computer is reached, as its session says: parts that were asked for ahead may come all the same.
        var isReached = true
        /// Whether the computer was away at the last request for a part.
        var isAway = false
        var end: End?
        /// Whether a response is open.
        var isOpen = false
        /// When the browser was last expected, or it ended.
        var changedAt: ContinuousClock.Instant
        /// Ends what the response waits for.
        var interrupt: (@Sendable () -> Void)?
    }

    /// The state that an open response follows.
    private struct Turn: Equatable {
        var isPaused: Bool
        var isOver: Bool
    }

    /// The computer's id.
    let device: String
    /// At the computer.
    let path: String
    private let time: any TimeSource
    private let members: Mutex<Members>
    private let turns = LatestValue(Turn(isPaused: false, isOver: false))

    init(_ transfer: RemoteTransfer, _ path: String, device: String, time: any TimeSource) {
        self.device = device
        self.path = path
        self.time = time
        let first = Members(size: transfer.size, version: transfer.version, first: transfer, changedAt: time.now)
        members = Mutex(first)
    }

    // MARK: For the page

    var status: Status {
        members.withLock { members in
            let state: State
            var failure: FailureReport?
            switch members.end {
            case .done: state = .done
            case .failed(let error):
                state = .failed
                failure = FailureReport(error, right: FilesPage.readingRight)
            case .cancelled: state = .cancelled
            case nil:
                if members.isPaused {
                    state = .paused
                } else if !members.isOpen {
                    state = .ready
                } else {
                    state = members.isAway || !members.isReached ? .away : .running
                }
            }
            return Status(state: state, done: members.done, size: members.size, error: failure)
        }
    }

    /// Whether a response is open or expected. Browsers open few connections to one host, and each such holds one.
    var isUnderWay: Bool { members.withLock { $0.isOpen || $0.end == nil } }

    /// How long nothing came of it; nil while a response is open.
    var idleTime: Duration? { members.withLock { $0.isOpen ? nil : time.now - $0.changedAt } }

    func pause(_ isPaused: Bool) {
        change { members in
            if members.end == nil { members.isPaused = isPaused }
        }
    }

    /// Cuts the response; the browser is given nothing more.
    func cancel() {
        end(.cancelled(byPage: true))?()
    }

    // MARK: For its response

    /// The version that it began with; nil where the computer knows none.
    var version: String? { members.withLock(\.version) }

    /// The transfer that was asked for before the browser came; given once.
    func takeFirst() -> RemoteTransfer? {
        members.withLock { members in
            defer { members.first = nil }
            return members.first
        }
    }

    /// - Throws: Why it is over for good; ``HeldDownloadError/open`` while another response gives it.
    func check() throws { try members.withLock { try Self.check($0) } }

    private static func check(_ members: Members) throws {
        guard !members.isOpen else { throw HeldDownloadError.open }
        switch members.end {
        case .cancelled(byPage: true): throw HeldDownloadError.over
        // A computer that was away for too long may be back.
        case .failed(let error) where !isAbsence(error): throw error
        case .failed, .cancelled, .done, nil: return
        }
    }

    /// A response begins at a byte of the file. Ended by ``closed()``.
    ///
    /// - Throws: As ``check()``.
    func open(_ transfer: RemoteTransfer, at offset: Int64) throws {
        try change { members in
            try Self.check(members)
            // The person let the browser go on.
            if members.end != nil { members.isPaused = false }
            members.end = nil
            members.isOpen = true
            members.isReached = true
            members.isAway = false
            members.size = transfer.size
            members.version = transfer.version
            members.done = offset
        }
    }

    /// Waits while it is paused.
    ///
    /// - Throws: `CancellationError` where it is over.
    func turn() async throws {
        guard turns.value != Turn(isPaused: false, isOver: false) else { return }
        for await turn in turns.values() {
            guard !turn.isOver else { break }
            if !turn.isPaused { return }
        }
        throw CancellationError()
    }

    /// Reads a part, which ends when this does.
    func reading(_ body: @escaping @Sendable () async throws -> [UInt8]?) async throws -> [UInt8]? {
        let task = Task { try await body() }
        let isOver = members.withLock { members in
            members.interrupt = { task.cancel() }
            return members.end != nil
        }
        if isOver { task.cancel() }
        defer { members.withLock { $0.interrupt = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Bytes are about to be given.
    ///
    /// - Throws: `CancellationError` where it ended meanwhile.
    func gives(_ count: Int) throws {
        try members.withLock { members in
            guard members.end == nil else { throw CancellationError() }
            members.done += Int64(count)
        }
    }

    func setReached(_ isReached: Bool) { members.withLock { $0.isReached = isReached } }

    func setAway(_ isAway: Bool) { members.withLock { $0.isAway = isAway } }

    /// All that was asked for has been given; that is all of it where the file's end is reached.
    func given() {
        if members.withLock({ $0.done == $0.size }) { _ = end(.done) }
    }

    func failed(_ error: any Error) {
        // Cut by the page or by the browser: that is said elsewhere.
        if !(error is CancellationError) { _ = end(.failed(error)) }
    }

    /// The response is over.
    func closed() {
        change { members in
            members.isOpen = false
            members.changedAt = time.now
            if members.end == nil { members.end = .cancelled(byPage: false) }
        }
    }

    /// Whether the computer may be back later, and the same version go on.
    static func isAbsence(_ error: any Error) -> Bool {
        [.away, .offline, .gone].contains(FailureReport(error).kind)
    }

    /// - Returns: A call that ends the response's wait; nil where it waits for nothing, or was over already.
    private func end(_ end: End) -> (@Sendable () -> Void)? {
        change { members in
            switch members.end {
            // Neither was for good.
            case nil, .cancelled(byPage: false): break
            case .failed(let error) where Self.isAbsence(error): break
            case .done, .failed, .cancelled: return nil
            }
            members.end = end
            members.first = nil
            members.changedAt = time.now
            return members.interrupt
        }
    }

    /// Tells the open response too: under the lock, so that two changes stay in their order.
    private func change<Value: Sendable>(_ body: (inout Members) throws -> Value) rethrows -> Value {
        try members.withLock { members in
            let value = try body(&members)
            turns.set(Turn(isPaused: members.isPaused, isOver: members.end != nil))
            return value
        }
    }
}

/// Why a download that the program holds is not given. The description is shown to the person.
enum HeldDownloadError: ClassifiedError, Hashable, CustomStringConvertible {
    case unknown
    /// The page cancelled it.
    case over
    /// Another response gives it.
    case open
    case tooMany(limit: Int)

    var facts: FailureFacts {
        switch self {
        case .unknown: .kind(.notFound, reason: "unknownDownload")
        case .over: .kind(.notFound, reason: "downloadCancelled")
        case .open: .kind(.refused, reason: "downloadOpen")
        case .tooMany(let limit): .kind(.refused, reason: "tooManyDownloads", ["limit": .integer(Int64(limit))])
        }
    }

    var description: String {
        switch self {
        case .unknown: "This download is not known here (any more). Look for it among the browser's downloads."
        case .over: "This download was cancelled. Begin it again on the page."
        case .open: "This download is under way already. Wait for it, or cancel it."
        case .tooMany(let limit): "\(limit) downloads are open already. Wait for one of them, or cancel one."
        }
    }
}
