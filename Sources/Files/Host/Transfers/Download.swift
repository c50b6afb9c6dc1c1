import Kernel
import Synchronization
import Transfers

/// One file on its way to the phone. The same open file throughout: a new file under its name changes nothing, and a change in place is noticed.
final class Download: Sendable {
    private struct State {
        var digest: FileDigest
        var touchedAt: ContinuousClock.Instant
        var sent = ByteRanges()
    }

    let id: TransferID
    let caller: String
    let path: String
    let name: String
    let status: FileStatus
    let chunkSize: Int
    private let file: any ReadableFile
    private let work: BlockingLane
    private let state: Mutex<State>

    init(
        caller: String,
        path: String,
        name: String,
        file: any ReadableFile,
        status: FileStatus,
        chunkSize: Int,
        checksumMethod: ChecksumMethod,
        now: ContinuousClock.Instant,
        work: BlockingWork
    ) {
        self.work = BlockingLane(on: work, for: caller)
        id = TransferID()
        self.caller = caller
        self.path = path
        self.name = name
        self.file = file
        self.status = status
        self.chunkSize = chunkSize
        state = Mutex(State(digest: FileDigest(checksumMethod, size: status.size), touchedAt: now))
    }

    var touchedAt: ContinuousClock.Instant { state.withLock(\.touchedAt) }
    var sent: Int64 { state.withLock { $0.sent.count } }

    func touch(_ instant: ContinuousClock.Instant) { state.withLock { $0.touchedAt = instant } }

    /// - Throws: ``TransferError/sourceChanged(_:)`` when it is not the file any more that was asked for.
    func read(at offset: Int64, count: Int) async throws -> [UInt8] {
        try await work.run { [self] in
            guard offset >= 0, offset <= status.size, Int64(count) <= status.size - offset, count > 0 else {
                throw TransferError.badChunk("it lies outside of the file's \(status.size) bytes")
            }
            let bytes = try file.read(at: offset, count: count)
            // Looked at after the reading: what was read before the change is then refused too, never half of each.
            guard bytes.count == count, try file.status().version == status.version else {
                throw TransferError.sourceChanged(path)
            }
            try state.withLock { state in
                try state.digest.take(bytes[...], at: offset)
                // Progress only; scattered reads are not worth keeping each apart.
                if state.sent.ranges.count < Upload.rangeLimit {
                    state.sent.insert(offset..<offset + Int64(count))
                }
                try state.digest.catchUp(file, to: state.sent.end)
            }
            return bytes
        }
    }

    func checksum() async throws -> String {
        try await work.run { [self] in
            var digest = state.withLock(\.digest)
            let found = try digest.finish(file, named: path)
            guard try file.status().version == status.version else { throw TransferError.sourceChanged(path) }
            return found
        }
    }
}
