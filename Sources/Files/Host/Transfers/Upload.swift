import Foundation
import Kernel
import Synchronization
import Transfers

/// One file on its way to the desktop. Calls run one after the other, off the cooperative threads.
final class Upload: Sendable {
    static let rangeLimit = 4096

    struct Report: Sendable {
        var record: UploadRecord
        var written: ByteRanges
    }

    private struct State {
        var file: ArrivingFile<UploadRecord>
        /// Whether it is in the journal and has a partial file.
        var isMade: Bool
        var isDiscarded = false
        var part: (any PartialFile)?

        var record: UploadRecord {
            get { file.record }
            set { file.record = newValue }
        }
    }

    let id: TransferID
    let caller: String
    private let state: Mutex<State>
    /// A copy for those who only look: they never wait for a disk.
    private let shown: Mutex<Report>
    private let work: BlockingLane
    private let hasEnded = Atomic(false)
    private let context: Context

    /// What all uploads of a computer share.
    struct Context: Sendable {
        let access: any FileAccess
        let journal: any UploadJournal
        /// Bytes that are worth a wait for the disk.
        let batchSize: Int64
        let work: BlockingWork
    }

    /// - Parameter isMade: Whether an earlier process wrote the record down; otherwise ``make()`` does.
    init(_ record: UploadRecord, id: TransferID, isMade: Bool, in context: Context) {
        self.id = id
        caller = record.caller
        let file = ArrivingFile(record, Self.digest(record)) { try context.journal.save($0) }
        state = Mutex(State(file: file, isMade: isMade))
        shown = Mutex(Report(record: record, written: record.received))
        work = BlockingLane(on: context.work, for: record.caller)
        self.context = context
    }

    private var access: any FileAccess { context.access }
    private var journal: any UploadJournal { context.journal }

    var record: UploadRecord { shown.withLock(\.record) }
    var report: Report { shown.withLock { $0 } }

    func touch(_ date: Date) { shown.withLock { $0.record.touchedAt = date } }

    /// Ends the upload: from now on no call does anything but ``discard()``, waiting ones included. It does not wait for a disk.
    func end() { hasEnded.store(true, ordering: .releasing) }

    /// One call after the other, off the cooperative threads; what it changed is shown afterwards.
    ///
    /// - Parameter isLast: Whether it is done after ``end()``, too.
    private func run<Value: Sendable>(
        isLast: Bool = false,
        _ body: @escaping @Sendable (inout State) throws -> Value
    ) async throws -> Value {
        try await work.run { [self] in
            guard isLast || !hasEnded.load(ordering: .acquiring) else { throw TransferError.ended }
            return try state.withLock { state in
                state.record.touchedAt = record.touchedAt
                defer {
                    let report = Report(record: state.record, written: state.file.written)
                    shown.withLock { shown in
                        let touchedAt = shown.record.touchedAt
                        shown = report
                        shown.record.touchedAt = touchedAt
                    }
                }
                return try body(&state)
            }
        }
    }

    /// Notes the upload and makes its partial file, unless an earlier call did.
    func make() async throws {
        try await run { [self] in try make(&$0) }
    }

    private func make(_ state: inout State) throws {
        guard !state.isMade else { return }
        guard !state.isDiscarded else { throw TransferError.unknown(id: id.text(.upload)) }
        let folder = try folder(state.record)
        try checkTarget(state.record)
        // Written down first: a partial file that is in no journal would stay for ever.
        try journal.save(state.record)
        do {
            state.part = try access.makePart(state.record.partName, in: folder, size: state.record.size)
        } catch {
            try journal.remove(state.record.id)
            throw error
        }
        state.isMade = true
    }

    /// Whether the file may have its name, before anything is sent: asked for again whenever a sender goes on.
    private func checkTarget(_ record: UploadRecord) throws {
        let target = try target(record)
        try access.checkTarget(target)
        if !record.replaces, try arrived(record) != nil { throw FileError.exists(access.roots.text(of: target)) }
    }

    /// Writes what is new of `bytes`; a repeat changes nothing.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) async throws -> Report {
        try await run { [self] state in
            guard state.record.phase == .receiving else { throw TransferError.badChunk("the file is complete") }
            let end = offset.addingReportingOverflow(Int64(bytes.count))
            guard offset >= 0, !end.overflow, end.partialValue <= state.record.size, !bytes.isEmpty else {
                throw TransferError.badChunk("it lies outside of the file's \(state.record.size) bytes")
            }
            try checkScatter(of: state.file.written, with: offset..<end.partialValue)
            try state.file.write(bytes, at: offset, to: try open(&state))
            beginSynchronizing(&state)
            return Report(record: state.record, written: state.file.written)
        }
    }

    /// Looked at before anything is written: each part that was refused afterwards would be kept all the same.
    private func checkScatter(of written: ByteRanges, with range: Range<Int64>) throws(TransferError) {
        guard written.ranges.count >= Self.rangeLimit else { return }
        var after = written
        after.insert(range)
        guard after.ranges.count <= Self.rangeLimit else {
            throw .badChunk("its parts are too scattered; send them closer to each other")
        }
    }

    /// Everything written survives a power cut when this returns.
    func synchronize() async throws {
        try await run { try $0.file.synchronize($0.part) }
    }

    /// Checks the file and gives it its name. A repeat answers the same again.
    ///
    /// - Parameter checksum: The sender's, when it knows it only now.
    func complete(checksum: String?) async throws -> UploadRecord {
        try await run { [self] state in
            if state.record.phase == .done { return state.record }
            if state.record.phase == .finishing, try hasItsName(state.record) { return try done(&state) }
            let missing = state.record.size - state.file.written.count
            guard missing == 0 else { throw TransferError.incomplete(missing: missing) }
            let part = try open(&state)
            // An open file is not its name: somebody may have tidied up, and the sender begins anew.
            guard try part.isInPlace() else { throw TransferError.unknown(id: id.text(.upload)) }
            let found = try state.file.digest.finish(part, named: state.record.targetText)
            for case let expected? in [state.record.checksum, checksum] {
                guard try matches(expected, found, part, state.record) else { throw TransferError.checksumMismatch }
            }
            try state.file.settle(part)
            state.record.checksum = found
            state.record.phase = .finishing
            state.record.inode = try part.status().inode
            try journal.save(state.record)
            try part.finish(
                as: Array(state.record.name),
                replacing: state.record.replaces,
                permissions: state.record.permissions,
                modifiedMilliseconds: state.record.modifiedMilliseconds
            )
            return try done(&state)
        }
    }

    private static func digest(_ record: UploadRecord) -> FileDigest {
        FileDigest(ChecksumMethod(key: record.checksumKey), size: record.size)
    }

    /// - Parameter found: The file's checksum by this upload's own method. The sender may also say the other one's.
    private func matches(_ expected: String, _ found: String, _ part: any PartialFile, _ record: UploadRecord) throws
        -> Bool
    {
        if expected == found { return true }
        guard record.checksumKey != nil, FileChecksum(expected)?.isOfBlockTags == false else { return false }
        var digest = FileDigest(.sha256, size: record.size)
        return try digest.finish(part, named: record.targetText) == expected
    }

    /// Removes the partial file and the record.
    func discard() async throws {
        try await run(isLast: true) { [self] state in
            state.isDiscarded = true
            if state.record.phase != .done {
                do {
                    // Opened whatever its size: a crash while the part was made leaves one without its room, and that is to go too.
                    let part = try state.part ?? access.openPart(state.record.partName, in: try folder(state.record))
                    try part.discard()
                } catch FileError.notFound {}  // gone already, as was asked
            }
            state.part = nil
            try journal.remove(state.record.id)
        }
    }

    private func open(_ state: inout State) throws -> any PartialFile {
        if let part = state.part { return part }
        let part = try access.openPart(state.record.partName, in: try folder(state.record))
        guard try part.status().size == state.record.size else {
            throw TransferError.unknown(id: id.text(.upload))
        }
        state.part = part
        return part
    }

    /// Brings what was written to the disk while more is written, once it is worth it.
    private func beginSynchronizing(_ state: inout State) {
        guard let part = state.part, let batch = state.file.beginBatch(from: context.batchSize) else { return }
        let synchronizer = state.file.synchronizer
        context.work.perform(for: caller) { [self] in
            let result = Result { try synchronizer.synchronize(part) }
            work.perform { [self] in
                self.state.withLock { state in
                    let isOver = state.record.phase != .receiving || state.part == nil
                    state.file.end(batch, result, isOver: isOver)
                }
            }
        }
    }

    private func done(_ state: inout State) throws -> UploadRecord {
        state.record.phase = .done
        state.part = nil
        state.record.received = ByteRanges(0..<state.record.size)
        let status = try access.status(of: target(state.record), followingLink: false)
        state.record.finishedVersion = status.version
        try journal.save(state.record)
        return state.record
    }

    /// Brings the record up to what is on disk, for a sender that goes on.
    ///
    /// - Throws: When what is there is of no use any more: the partial file is gone, or the finished one is another by now.
    /// - Parameter request: The sender's wishes by now: whether a file may be replaced, permissions, date, and how it compares
    ///   the file. Nothing of the earlier request's wishes stays.
    func resume(_ request: UploadRequest) async throws -> UploadRecord {
        try await run { [self] state in
            if state.record.phase == .finishing, try !hasItsName(state.record) { state.record.returnToReceiving() }
            switch state.record.phase {
            case .receiving:
                var isNew = request.renew(&state.record)
                if state.record.checksumKey != request.checksumKey {
                    state.record.checksumKey = request.checksumKey
                    state.file.digest = Self.digest(state.record)
                    isNew = true
                }
                if isNew, state.isMade { try journal.save(state.record) }
                try make(&state)
                guard try open(&state).isInPlace() else { throw TransferError.unknown(id: id.text(.upload)) }
                try checkTarget(state.record)
                try state.file.synchronize(state.part)
            case .finishing: break
            case .done:
                guard let version = try arrived(state.record)?.version, version == state.record.finishedVersion else {
                    throw TransferError.unknown(id: id.text(.upload))
                }
            }
            return state.record
        }
    }

    /// Whether the crash came after the file got its name.
    private func hasItsName(_ record: UploadRecord) throws -> Bool {
        guard let status = try arrived(record) else { return false }
        return status.inode == record.inode
    }

    /// The status of what has the file's name, whatever it is; nil when nothing has it.
    private func arrived(_ record: UploadRecord) throws -> FileStatus? {
        do {
            return try access.status(of: target(record), followingLink: false)
        } catch FileError.notFound {
            return nil
        }
    }

    private func target(_ record: UploadRecord) throws -> FileLocation {
        try folder(record).appending(Array(record.name))
    }

    private func folder(_ record: UploadRecord) throws -> FileLocation {
        try access.roots.location(of: FileNameText.text(record.folder))
    }
}
