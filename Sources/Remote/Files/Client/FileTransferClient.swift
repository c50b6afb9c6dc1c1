public import Foundation
public import Kernel

/// Sends files to one desktop and fetches them from there, many parts at a time; what was interrupted goes on where it was when the
/// same is asked for again.
public actor FileTransferClient {
    /// Asks the desktop: method, parameters, how long to wait.
    public typealias Invoke = @Sendable (String, JSONValue, Duration) async throws -> JSONValue

    static let filesAtATime = 4
    static let depthLimit = 64
    /// Restarts of the desktop in one file: one that never comes up for long is not waited for.
    private static let restartLimit = 5
    static let entryLimit = 100_000
    static let answerTime: Duration = .seconds(30)

    let desktop: String
    let journal: any TransferJournal
    let invoke: Invoke
    let exchange: FrameExchange?
    let window = ByteWindow(size: TransferFrame.window)
    let work = FileWork("tandem.files.phone")
    let tuning: TransferTuning
    let now: @Sendable () -> Date
    private let changes = Broadcaster<TransferProgress>(capacity: 64)
    /// Files that are on their way: one at a time may write a part.
    private var active: Set<String> = []
    private var isClosed = false

    /// - Parameters:
    ///   - desktop: Names the desktop in the journal.
    ///   - sendFrame: Hands one binary message to the session; nil when only JSON reaches the desktop.
    public init(
        desktop: String,
        journal: any TransferJournal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        invoke: @escaping Invoke,
        sendFrame: (@Sendable ([UInt8]) async throws -> Void)? = nil
    ) {
        self.init(
            desktop: desktop,
            journal: journal,
            clock: clock,
            now: now,
            tuning: TransferTuning(),
            invoke: invoke,
            sendFrame: sendFrame
        )
    }

    init(
        desktop: String,
        journal: any TransferJournal,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date,
        tuning: TransferTuning,
        invoke: @escaping Invoke,
        sendFrame: (@Sendable ([UInt8]) async throws -> Void)?
    ) {
        self.tuning = tuning
        self.desktop = desktop
        self.journal = journal
        self.now = now
        self.invoke = invoke
        exchange = sendFrame.map { FrameExchange(clock: clock, limit: Self.answerTime, send: $0) }
    }

    /// Takes a binary message from the desktop for which ``TransferFrame/isFrame(_:)`` is true.
    public func receive(frame bytes: [UInt8]) async {
        guard let frame = TransferFrame(bytes) else { return }
        await exchange?.receive(frame)
    }

    /// Ends every wait for a frame: the connection is gone, and what arrived is kept for the next call.
    public func close() async {
        isClosed = true
        await exchange?.endWaits()
    }

    /// The desktop's program was started anew: what was under way to the one before goes on with it from where the disk is.
    public func desktopRestarted() async { await exchange?.endWaits() }

    /// Begins a transfer again that a restart of the desktop interrupted, or that it knows no more; it goes on with what is there.
    func continuing(_ transfer: () async throws -> TransferReport) async throws -> TransferReport {
        for _ in 1..<Self.restartLimit {
            do {
                return try await transfer()
            } catch RemoteError.notConnected where !isClosed {
                continue
            } catch TransferError.refused(TransferError.unknownCode, _) {
                continue
            }
        }
        return try await transfer()
    }

    /// How far each file is, from now on; a slow reader loses the oldest.
    public nonisolated func progress() -> AsyncStream<TransferProgress> { changes.subscribe() }

    /// Transfers that were begun and not finished, also by an earlier process: the same call again continues each.
    public func unfinished() async throws -> [TransferRecord] {
        let records = try await work.run { [journal] in try journal.records() }
        return records.filter { $0.desktop == desktop }
    }

    nonisolated func tell(_ progress: TransferProgress) { changes.send(progress) }

    /// - Throws: ``TransferError/busy`` when the same file is on its way already.
    func claim(_ key: String) throws {
        guard active.insert(key).inserted else { throw TransferError.busy }
    }

    func release(_ key: String) { active.remove(key) }

    /// In a folder's transfer a file that is there already is left as it is, and said: files get their names only when they are
    /// whole, so a folder that was interrupted goes on with what it lacks.
    static func leavingExisting(_ transfer: () async throws -> TransferReport) async throws -> TransferReport {
        do {
            return try await transfer()
        } catch let error as FileError {
            guard case .exists = error else { throw error }
            return TransferReport(skipped: [error.description])
        } catch let failure as RemoteFailure where failure.code == TransferError.existsCode {
            return TransferReport(skipped: [failure.message])
        }
    }

    /// Time enough for the desktop to read a whole file once more.
    static func time(for size: Int64) -> Duration { answerTime + .seconds(size / (50 << 20)) }

    /// `run` for every index in order, several at a time; the results in the order they come.
    func forEach<Item: Sendable, Value: Sendable>(
        _ items: some Sequence<Item>,
        atATime limit: Int,
        run: @escaping @Sendable (Item) async throws -> Value,
        take: (Value) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            var running = 0
            for item in items {
                if running == limit, let value = try await group.next() {
                    running -= 1
                    try await take(value)
                }
                group.addTask { try await run(item) }
                running += 1
            }
            while let value = try await group.next() { try await take(value) }
        }
    }
}
