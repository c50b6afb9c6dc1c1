public import CommandClient
import Commands
import Foundation
package import Kernel
public import Transfers

/// Sends files to one desktop and fetches them from there, many parts at a time; what was interrupted goes on where it was when the
/// same is asked for again.
public actor FileTransferClient {
    /// Asks the desktop: method, parameters, how long to wait.
    package typealias Invoke = @Sendable (String, JSONValue, Duration) async throws -> JSONValue

    /// Steps of one folder's transfer that run at a time: files, batches of small ones, and folders that are listed.
    static let stepsAtATime = 4
    static let depthLimit = 64
    /// Attempts at one file across restarts of the desktop: one that never comes up for long is not waited for.
    private static let restartLimit = 5
    static let entryLimit = 100_000
    static let answerTime: Duration = .seconds(30)
    /// How long the desktop may take to hear that a transfer is over.
    private static let endingTime: Duration = .seconds(5)
    /// How long transfers wait for a desktop that goes away meanwhile, and how often they look.
    static let absencePatience: Duration = .seconds(120)
    private static let absencePause: Duration = .seconds(1)

    let desktop: String
    let journal: any TransferJournal
    private let call: Invoke
    let time: any TimeSource
    let exchange: FrameExchange?
    /// The way of parts that go as bytes; nil when only JSON reaches the desktop.
    nonisolated let link: ChosenByteLink?
    /// Opens direct connections; nil where the computer is never reached directly.
    nonisolated let dialer: BulkDialer?
    /// The bytes under way in parts, over whatever way they go.
    let window: ByteWindow
    /// Those of them that go through the session, as frames or as JSON.
    let sessionWindow = ByteWindow(size: TransferFrame.window)
    /// The bytes under way in batches of small files: two large batches, or many small ones. While one is synced, the next is on its way.
    let batchWindow = ByteWindow(size: 2 * Int(BatchTerms.most.bytes))
    /// The bytes under way in batches whose contents travel apart: two large ones, for the same reason.
    let bundleWindow = ByteWindow(size: 2 * Int(BatchTerms.bundleLimit))
    let work = BlockingWork("tandem.files", width: 8)
    let tuning: TransferTuning
    private let changes = Broadcaster<TransferProgress>(capacity: 64)
    /// Files that are on their way: one at a time may write a part.
    private var active: Set<String> = []
    private var isClosed = false
    /// When the desktop last answered anything.
    private var answeredAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - desktop: Names the desktop in the journal.
    ///   - time: Measures how long an answer may take. Stands while the machine sleeps, so that no transfer ends by a sleep.
    ///   - sendFrame: Hands one binary message to the session; nil when only JSON reaches the desktop.
    ///   - locate: Says how the desktop is reached without a relay now; nil where it never is.
    package init(
        desktop: String,
        journal: any TransferJournal,
        time: any TimeSource = .awake,
        tuning: TransferTuning = TransferTuning(),
        invoke: @escaping Invoke,
        sendFrame: (@Sendable ([UInt8]) async throws -> Void)? = nil,
        locate: BulkDialer.Locate? = nil
    ) {
        self.tuning = tuning
        self.desktop = desktop
        self.journal = journal
        call = invoke
        self.time = time
        let exchange = sendFrame.map { FrameExchange(time: time, limit: Self.answerTime, send: $0) }
        let link = exchange.map { [work, sessionWindow] in
            ChosenByteLink(session: SessionByteLink($0, work: work), window: sessionWindow)
        }
        (self.exchange, self.link) = (exchange, link)
        window = ByteWindow(size: locate == nil ? TransferFrame.window : BulkLimits.window)
        guard let exchange, let link, let locate else {
            dialer = nil
            return
        }
        dialer = BulkDialer(link, time: time, locate: locate) { transfer in
            let offset = TransferFrame.connectionOffset
            let frame = TransferFrame(transfer: transfer, offset: offset, content: .connect)
            guard case .offer(let offer) = try await exchange.answer(to: frame) else {
                throw TransferError.malformedAnswer(method: FileMethods.openConnection.name)
            }
            return offer
        }
    }

    /// The way that parts of files take now, for people.
    package nonisolated var way: BulkDialer.Way { dialer?.way ?? .session(nil) }
    /// The bytes that went each way since this began.
    package nonisolated var moved: ChosenByteLink.Moved { link?.moved ?? ChosenByteLink.Moved() }

    /// Calls a method of the desktop; one that answered a moment ago and is away now is waited for.
    func invoke(_ method: String, _ params: JSONValue, _ timeout: Duration) async throws -> JSONValue {
        while true {
            do {
                let answer = try await call(method, params, timeout)
                answeredAt = time.now
                return answer
            } catch let error as any ClassifiedError where error.facts.isAbsence && isExpectedBack {
                try await time.sleep(for: Self.absencePause)
            }
        }
    }

    func call<Parameters, Answer>(
        _ method: Method<Parameters, Answer>,
        _ params: Parameters,
        timeout: Duration = answerTime
    ) async throws -> Answer {
        try Answer(wire: try await invoke(method.name, params.wire, timeout))
    }

    private var isExpectedBack: Bool {
        !isClosed && answeredAt.map { time.now - $0 < Self.absencePatience } ?? false
    }

    /// Begins a transfer again that a restart of the desktop interrupted, or that it knows no more; it goes on with what is there.
    func continuing(_ transfer: () async throws -> TransferReport) async throws -> TransferReport {
        for _ in 1..<Self.restartLimit {
            do {
                return try await transfer()
            } catch RemoteError.notConnected where !isClosed {
                continue
            } catch let error where error.transferCode == FailureCode.unknownTransfer {
                // Also where the part on this device was removed meanwhile.
                continue
            }
        }
        return try await transfer()
    }

    /// How far each file is, from now on; a reader more than 64 steps behind loses the oldest.
    public nonisolated func progress() -> AsyncStream<TransferProgress> { changes.subscribe() }

    /// Transfers that were begun and not finished, also by an earlier process: the same call again continues each.
    ///
    /// - Throws: What the journal's database says.
    public func unfinished() async throws -> [TransferRecord] {
        let records = try await work.run { [journal] in try journal.records() }
        return records.filter { $0.desktop == desktop }
    }

    /// The record of a transfer that begins now.
    nonisolated func record(
        _ direction: TransferDirection,
        _ remote: String,
        _ name: [UInt8],
        in folder: LocalFolder,
        size: Int64,
        version: String?
    ) -> TransferRecord {
        TransferRecord(
            id: TransferID().hexadecimal,
            desktop: desktop,
            direction: direction,
            remotePath: remote,
            localFolder: folder.path,
            localName: Data(name),
            size: size,
            version: version,
            beganAt: time.date
        )
    }

    /// The records of transfers between a folder and this desktop. Blocks.
    nonisolated func records(_ direction: TransferDirection, in folder: LocalFolder) throws -> [TransferRecord] {
        try journal.records().filter {
            $0.desktop == desktop && $0.direction == direction && $0.localFolder == folder.path
        }
    }

    /// The record of an earlier transfer of the same file to the same place. Blocks.
    nonisolated func known(_ direction: TransferDirection, _ remote: String, _ name: [UInt8], in folder: LocalFolder)
        throws -> TransferRecord?
    {
        try records(direction, in: folder).first { $0.remotePath == remote && $0.localName == Data(name) }
    }

    nonisolated func tell(_ direction: TransferDirection, _ path: String, _ done: Int64, of total: Int64) {
        changes.send(TransferProgress(direction: direction, path: path, done: done, total: total))
    }

    /// - Throws: ``TransferError/busy`` when the same file is on its way already.
    func claim(_ key: String) throws {
        guard active.insert(key).inserted else { throw TransferError.busy }
    }

    func release(_ key: String) { active.remove(key) }

    /// Runs `body` with a key that was claimed, and releases it.
    func releasing<Value: Sendable>(_ key: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
        defer { release(key) }
        return try await body()
    }

    /// - Returns: Those of `items` whose file was not on its way; each is to be released by its key.
    func claimFree<Item>(_ items: [Item], key: (Item) -> String) -> [Item] {
        items.filter { active.insert(key($0)).inserted }
    }

    /// The key that an upload claims. No name holds the separator.
    static func uploadKey(_ name: [UInt8], in folder: LocalFolder, to remote: String) -> String {
        "up \(folder.path)/\(FileNameText.text(name))\0\(remote)"
    }

    /// The key that a download claims.
    static func downloadKey(_ name: [UInt8], in folder: LocalFolder) -> String {
        "down \(folder.path)/\(FileNameText.text(name))"
    }

    /// A path at the computer.
    static func path(of name: [UInt8], in remote: String) -> String {
        (remote.hasSuffix("/") ? remote : remote + "/") + FileNameText.text(name)
    }

    func isUnderWay(_ record: TransferRecord) -> Bool {
        active.contains { $0.hasPrefix("up \(record.localFolder)/\(FileNameText.text(Array(record.localName)))\0") }
    }

    /// Ends a transfer at the desktop, which may be away or not know it any more. Also for a caller that was cancelled meanwhile.
    func end(_ transfer: RemoteTransfer) async { await cancel(transfer.text) }

    /// As ``end(_:)``, by the id that the desktop said.
    func cancel(_ transfer: String) async {
        let method = FileMethods.cancelTransfer
        let ask: Invoke = call
        let ending = Task {
            // It ends there by itself as well, only later.
            _ = try? await ask(method.name, NamedTransfer(transfer).wire, Self.endingTime)
        }
        await ending.value
    }

    /// One item of a folder. A file that is there already is left as it is: files get their names only when they are whole, so a folder
    /// that was interrupted goes on with what it lacks. What cannot be transferred is said, and the others go on.
    ///
    /// - Parameters:
    ///   - path: The item's path, for its sentence.
    ///   - troubles: The errors of this folder.
    ///   - isSame: Whether both are the same file, as far as size and time tell. Asked only when one is there.
    /// - Throws: An error that ends the whole folder.
    static func item(
        _ path: String,
        _ troubles: FolderTroubles,
        isolation: isolated (any Actor)? = #isolation,
        _ transfer: () async throws -> TransferReport,
        isSame: () async throws -> Bool = { false }
    ) async throws -> TransferReport {
        do {
            let report = try await transfer()
            troubles.note(nil)
            return report
        } catch let error where FolderTroubles.isPresence(error) {
            troubles.note(nil)
            if try await isSame() { return TransferReport(present: 1) }
            return TransferReport(skipped: ["\(error)"])
        } catch let error where troubles.isOfItem(error) {
            try await troubles.check(error)
            let sentence = "\(error)"
            return TransferReport(skipped: [sentence.contains(path) ? sentence : "\(path): \(sentence)"])
        }
    }

    /// Time enough for the desktop to read a whole file once more.
    static func time(for size: Int64) -> Duration { answerTime + .seconds(size / (50 << 20)) }

    /// Walks through a tree of folders, several steps at a time; the step that was found last is done first, so that few folders are open
    /// at a time.
    ///
    /// - Parameter first: The uppermost folder.
    /// - Returns: The report over all steps.
    func walk<Item>(from first: OpenedFolder<Item>, by transfer: FolderTransfer<Item>) async throws -> TransferReport {
        let first = FolderProgress(first, depth: 1)
        var report = first.report
        var budget = Self.entryLimit - first.entryCount
        try await withThrowingTaskGroup(of: FolderProgress<Item>.self) { group in
            defer { group.cancelAll() }
            var waiting = Array(first.steps.reversed())
            var running = 0
            while true {
                while running < Self.stepsAtATime, let step = waiting.popLast() {
                    group.addTask { try await transfer.run(step) }
                    running += 1
                }
                guard let progress = try await group.next() else { return }
                running -= 1
                guard progress.entryCount <= budget else {
                    report.skipped.append("\(FileError.tooManyEntries(progress.path, limit: Self.entryLimit))")
                    continue
                }
                budget -= progress.entryCount
                report.add(progress.report)
                waiting += progress.steps.reversed()
            }
        }
        return report
    }

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

extension FileTransferClient: ComputerPart {
    /// 0x01, with which every frame of a file begins. Source: `docs/protocol.md`, "Frames".
    public nonisolated var frameBytes: Set<UInt8> { [TransferFrame.firstByte] }

    /// Hands a frame to the transfer that asked for it. A malformed one, or one that no transfer waits for, is dropped.
    public func receive(frame bytes: [UInt8]) async {
        guard let frame = TransferFrame(bytes) else { return }
        await exchange?.receive(frame)
    }

    /// Frames without an answer are sent again.
    public func reached() async {
        dialer?.networkChanged()
        await exchange?.desktopReached()
    }

    /// Transfers under way wait for the desktop, for two minutes.
    public func lost() async { await exchange?.desktopLost() }

    /// Transfers that were under way to the previous process go on with the new one from what is on disk.
    public func restarted() async { await exchange?.endWaits() }

    /// Ends every wait for a frame: the connection is gone, and what arrived is kept for the next call.
    public func close() async {
        isClosed = true
        // First: a part whose direct connection ends goes through the session, which is over then.
        await exchange?.endWaits()
        await dialer?.close()
        await exchange?.endWaits()
    }
}

extension Error {
    /// The code with which a transfer was refused, by the computer or here; nil where it is about something else.
    var transferCode: Int? { (self as? RemoteFailure)?.code ?? (self as? TransferError)?.facts.code }
}
