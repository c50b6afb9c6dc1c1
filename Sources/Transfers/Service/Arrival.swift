package import Foundation
package import Kernel
import Synchronization

/// A body that arrives in parts, is written down, goes on after the process was killed, is checked, and gets its place in one step.
///
/// Parts come at any offset or in order. Calls run one after the other, off the cooperative threads.
package final class Arrival<Place: ArrivalPlace>: Sendable {
    package typealias Record = Place.Record

    /// Ranges that lie apart from each other: more of them are refused.
    package static var rangeLimit: Int { 4096 }

    package struct Report: Sendable {
        package let record: Record
        package let written: ByteRanges
    }

    private struct State {
        var file: ArrivingFile<Record>
        /// Whether it is in the journal and has a partial file.
        var isMade: Bool
        var isDiscarded = false
        var part: (any PartialFile)?

        var record: Record {
            get { file.record }
            set { file.record = newValue }
        }
    }

    /// What is shown to those who only look.
    private struct Shown {
        var record: Record
        var written: ByteRanges
    }

    package let id: Place.ID
    /// Whose turns its calls take.
    package let owner: String
    private let state: Mutex<State>
    /// A copy for those who only look: they never wait for a disk.
    private let shown: Mutex<Shown>
    private let work: BlockingLane
    private let hasEnded = Atomic(false)
    private let context: Context

    /// What all bodies of one place share.
    package struct Context: Sendable {
        package let place: Place
        /// Bytes that are worth a wait for the disk.
        package let batchSize: Int64
        package let work: BlockingWork

        package init(_ place: Place, batchSize: Int64, work: BlockingWork) {
            self.place = place
            self.batchSize = batchSize
            self.work = work
        }
    }

    /// - Parameter isMade: Whether an earlier process wrote the record down; otherwise ``make()`` does.
    package init(_ record: Record, id: Place.ID, owner: String, isMade: Bool, in context: Context) {
        self.id = id
        self.owner = owner
        // What of a new body is there before anything came are its holes.
        let digest = Self.digest(record, holes: isMade ? ByteRanges() : record.received)
        let file = ArrivingFile(record, digest) { try context.place.save($0) }
        state = Mutex(State(file: file, isMade: isMade))
        shown = Mutex(Shown(record: record, written: record.received))
        work = BlockingLane(on: context.work, for: owner)
        self.context = context
    }

    private var place: Place { context.place }

    package var record: Record { shown.withLock(\.record) }
    package var report: Report { shown.withLock { Report(record: $0.record, written: $0.written) } }

    package func touch(_ date: Date) { shown.withLock { $0.record.touchedAt = date } }

    /// Ends the arrival: from now on no call does anything but ``discard()``, waiting ones included. It does not wait for a disk.
    package func end() { hasEnded.store(true, ordering: .releasing) }

    /// One call after the other, off the cooperative threads; what it changed is shown afterwards.
    ///
    /// - Parameter isLast: Whether it is done after ``end()``, too.
    private func run<Value: Sendable>(
        isLast: Bool = false,
        _ body: @escaping @Sendable (inout State) throws -> Value
    ) async throws -> Value {
        try await work.run { [self] in try runNow(isLast: isLast, body) }
    }

    private func runNow<Value: Sendable>(
        isLast: Bool = false,
        _ body: @Sendable (inout State) throws -> Value
    ) throws -> Value {
        guard isLast || !hasEnded.load(ordering: .acquiring) else { throw TransferError.ended }
        return try state.withLock { state in
            state.record.touchedAt = record.touchedAt
            defer {
                let (record, written) = (state.record, state.file.written)
                shown.withLock { shown in
                    let touchedAt = shown.record.touchedAt
                    shown = Shown(record: record, written: written)
                    shown.record.touchedAt = touchedAt
                }
            }
            return try body(&state)
        }
    }

    /// Notes the body and makes its partial file, unless an earlier call did.
    package func make() async throws {
        try await run { [self] in try make(&$0) }
    }

    private func make(_ state: inout State) throws {
        guard !state.isMade else { return }
        guard !state.isDiscarded else { throw place.unknown(id) }
        try place.check(state.record)
        // Written down first: a partial file that is in no journal would stay for ever.
        try place.begin(state.record)
        do {
            state.part = try place.makePart(of: state.record)
        } catch {
            try place.remove(state.record)
            throw error
        }
        state.isMade = true
    }

    /// Writes what is new of `bytes`; a repeat changes nothing.
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) async throws -> Report {
        try await run { [self] state in try write(bytes, at: offset, &state) }
    }

    /// As ``write(_:at:)``, on the caller's own thread, which waits for the disk and for a call under way.
    @discardableResult
    package func writeNow(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws -> Report {
        try runNow { [self] state in try write(bytes, at: offset, &state) }
    }

    /// Writes `bytes` behind what has been written, for a sender that sends in order. Of two that send the same, one is told to go on
    /// elsewhere.
    ///
    /// - Throws: ``WrongOffset`` where something else is to come.
    package func append(_ bytes: ArraySlice<UInt8>, at offset: Int64) async throws -> Report {
        try await run { [self] state in
            guard offset == state.file.written.end else { throw WrongOffset(expected: state.file.written.end) }
            return try write(bytes, at: offset, &state)
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, at offset: Int64, _ state: inout State) throws -> Report {
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
    package func synchronize() async throws {
        try await run { try $0.file.synchronize($0.part) }
    }

    /// Lets the body end where it has come to, for a sender that did not know its size. Compared by SHA-256 only.
    package func shorten() async throws {
        try await run { state in
            let end = state.file.written.end
            state.record.size = end
            state.file.digest.shorten(to: end)
        }
    }

    /// Checks the body and gives it its place. A repeat answers the same again.
    ///
    /// - Parameter check: Looks at the whole body with its checksum, and notes in the record what is found out of it. What it throws is
    ///   thrown on, and the body stays as it is.
    package func complete(
        _ check:
            @escaping @Sendable (_ part: any PartialFile, _ checksum: String, _ record: inout Record) throws -> Void
    ) async throws -> Record {
        try await run { [self] state in
            if state.record.phase == .done { return state.record }
            if state.record.phase == .finishing, try place.hasArrived(state.record) { return try done(&state) }
            let missing = state.record.size - state.file.written.count
            guard missing == 0 else { throw TransferError.incomplete(missing: missing) }
            let part = try open(&state)
            // An open file is not its name: somebody may have tidied up, and the sender begins anew.
            guard try part.isInPlace() else { throw place.unknown(id) }
            let found = try state.file.digest.finish(part, named: place.name(of: state.record))
            var record = state.record
            try check(part, found, &record)
            try state.file.settle(part)
            record.received = state.record.received
            record.phase = .finishing
            state.record = record
            try place.save(record)
            try place.finish(part, record)
            return try done(&state)
        }
    }

    private static func digest(_ record: Record, holes: ByteRanges = ByteRanges()) -> FileDigest {
        FileDigest(ChecksumMethod(key: record.checksumKey), size: record.size, holes: holes)
    }

    /// Removes the partial file and the record.
    package func discard() async throws {
        try await run(isLast: true) { [self] state in
            state.isDiscarded = true
            if state.record.phase != .done {
                do {
                    // Opened whatever its size: a crash while the part was made leaves one without its room, and that is to go too.
                    let part = try state.part ?? place.openPart(of: state.record)
                    try part.discard()
                } catch FileError.notFound {}  // gone already, as was asked
            }
            state.part = nil
            try place.remove(state.record)
        }
    }

    private func open(_ state: inout State) throws -> any PartialFile {
        if let part = state.part { return part }
        let part = try place.openPart(of: state.record)
        guard try part.status().size == state.record.size else { throw place.unknown(id) }
        state.part = part
        return part
    }

    /// Brings what was written to the disk while more is written, once it is worth it.
    private func beginSynchronizing(_ state: inout State) {
        guard let part = state.part, let batch = state.file.beginBatch(from: context.batchSize) else { return }
        let synchronizer = state.file.synchronizer
        context.work.perform(for: owner) { [self] in
            let result = Result { try synchronizer.synchronize(part) }
            work.perform { [self] in
                self.state.withLock { state in
                    let isOver = state.record.phase != .receiving || state.part == nil
                    state.file.end(batch, result, isOver: isOver)
                }
            }
        }
    }

    private func done(_ state: inout State) throws -> Record {
        state.record.phase = .done
        state.part = nil
        state.record.received = ByteRanges(0..<state.record.size)
        try place.noteArrival(&state.record)
        try place.save(state.record)
        return state.record
    }

    /// Brings the record up to what is on disk, for a sender that goes on.
    ///
    /// - Parameter renew: Puts the sender's wishes by now into the record; says whether that changed anything. Not called for a body that is
    ///   whole already.
    /// - Throws: When what is there is of no use any more: the partial file is gone, or the finished one is another by now.
    package func resume(_ renew: @escaping @Sendable (inout Record) -> Bool = { _ in false }) async throws -> Record {
        try await run { [self] state in
            if state.record.phase == .finishing, try !place.hasArrived(state.record) {
                state.record.returnToReceiving()
            }
            switch state.record.phase {
            case .receiving:
                let key = state.record.checksumKey
                let isNew = renew(&state.record)
                if state.record.checksumKey != key { state.file.digest = Self.digest(state.record) }
                if isNew, state.isMade { try place.save(state.record) }
                try make(&state)
                guard try open(&state).isInPlace() else { throw place.unknown(id) }
                try place.check(state.record)
                try state.file.synchronize(state.part)
            case .finishing: break
            case .done: guard try place.isUnchanged(state.record) else { throw place.unknown(id) }
            }
            return state.record
        }
    }
}
