import Foundation
import Kernel
import Synchronization
import Transfers

/// One file on its way to the phone. The same open file throughout: a new file under its name changes nothing, and a change in place is noticed.
final class Download: Sendable {
    private struct State {
        var digest: FileDigest
        var sent = ByteRanges()
    }

    /// How the open file differs from what was asked for.
    private enum Change {
        case none
        /// It is longer: what stood there at the beginning may all be there still, as in a log.
        case grown
        case other
    }

    let id: TransferID
    let caller: String
    let path: String
    let name: String
    let status: FileStatus
    /// The parts that the phone need not ask for.
    let holes: ByteRanges
    let chunkSize: Int
    let beganAt: Date
    private let checksumMethod: ChecksumMethod
    private let file: any ReadableFile
    private let work: BlockingLane
    /// Held while the file is read: never waited for but on threads that wait for disks anyway.
    private let state: Mutex<State>
    /// Copies for those who only look.
    private let touched: Mutex<ContinuousClock.Instant>
    private let sentCount = Atomic<Int64>(0)

    init(
        caller: String,
        path: String,
        name: String,
        file: any ReadableFile,
        status: FileStatus,
        holes: ByteRanges = ByteRanges(),
        chunkSize: Int,
        checksumMethod: ChecksumMethod,
        now: ContinuousClock.Instant,
        date: Date,
        work: BlockingWork
    ) {
        self.work = BlockingLane(on: work, for: caller)
        id = TransferID()
        self.caller = caller
        self.path = path
        self.name = name
        self.file = file
        self.status = status
        self.holes = holes
        self.chunkSize = chunkSize
        self.checksumMethod = checksumMethod
        beganAt = date
        state = Mutex(State(digest: FileDigest(checksumMethod, size: status.size, holes: holes)))
        touched = Mutex(now)
    }

    var touchedAt: ContinuousClock.Instant { touched.withLock(\.self) }
    /// Bytes that were read for the phone.
    var sent: Int64 { sentCount.load(ordering: .relaxed) }

    func touch(_ instant: ContinuousClock.Instant) { touched.withLock { $0 = instant } }

    /// - Throws: ``TransferError/sourceChanged(_:)`` when it is not the file any more that was asked for.
    func read(at offset: Int64, count: Int) async throws -> [UInt8] {
        try await work.run { [self] in try readNow(at: offset, count: count) }
    }

    /// As ``read(at:count:)``, on the caller's own thread, which waits for the disk.
    func readNow(at offset: Int64, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset <= status.size, Int64(count) <= status.size - offset, count > 0 else {
            throw TransferError.badChunk("it lies outside of the file's \(status.size) bytes")
        }
        let bytes = try file.read(at: offset, count: count)
        // Looked at after the reading: what was read before the change is then refused too, never half of each.
        guard bytes.count == count, try change() != .other else { throw TransferError.sourceChanged(path) }
        try state.withLock { state in
            try state.digest.take(bytes[...], at: offset)
            // Progress only; scattered reads are not worth keeping each apart.
            if state.sent.ranges.count < Upload.rangeLimit {
                state.sent.insert(offset..<offset + Int64(count))
                sentCount.store(state.sent.count, ordering: .relaxed)
            }
            try state.digest.catchUp(file, to: state.sent.end)
        }
        return bytes
    }

    /// - Returns: The checksum of the bytes that were there when it began, and whether more came after them meanwhile.
    /// - Throws: ``TransferError/sourceChanged(_:)`` when these bytes are not there any more.
    func checksum() async throws -> (text: String, hasGrown: Bool) {
        try await work.run { [self] in
            var digest = state.withLock(\.digest)
            let found = try digest.finish(file, named: path)
            switch try change() {
            case .none: return (found, false)
            case .other: throw TransferError.sourceChanged(path)
            case .grown: break
            }
            // A longer file may have been changed before its end, too: what was sent has to be there still.
            var again = FileDigest(checksumMethod, size: status.size)
            guard try again.finish(file, named: path) == found, try change() == .grown else {
                throw TransferError.sourceChanged(path)
            }
            return (found, true)
        }
    }

    private func change() throws -> Change {
        let now = try file.status()
        if now.version == status.version { return .none }
        return now.size > status.size ? .grown : .other
    }
}
