import Files
import Kernel
import Synchronization
import Transfers

/// The contents of small files on their way from a phone, one after the other as one body, until all of it is there. Kept in memory: each
/// bundle is small, and what a crash costs of it is sent again.
final class ArrivingBundle: Sendable {
    private struct State {
        /// Room for all of it, once its first part is there.
        var bytes: [UInt8] = []
        var received = ByteRanges()
        var touchedAt: ContinuousClock.Instant
        var isTaken = false
    }

    /// Parts that may lie apart from each other. Ours come in order, a few at a time.
    private static let rangeLimit = 64

    /// The files' names, sizes and dates, as they were announced.
    let announced: UploadFiles
    /// The indices of those whose bytes come, in their order.
    let wanted: [Int]
    /// Bytes of all wanted files together, 0 to 4,194,304.
    let size: Int
    private let state: Mutex<State>

    init(_ announced: UploadFiles, wanted: [Int], size: Int, now: ContinuousClock.Instant) {
        self.announced = announced
        self.wanted = wanted
        self.size = size
        state = Mutex(State(touchedAt: now))
    }

    var touchedAt: ContinuousClock.Instant { state.withLock(\.touchedAt) }

    /// Takes a part; a repeat changes nothing.
    ///
    /// - Throws: ``TransferError/badChunk(_:)``.
    func write(_ part: ArraySlice<UInt8>, at offset: Int64, now: ContinuousClock.Instant) throws(TransferError) {
        guard !part.isEmpty, offset >= 0, offset <= Int64(size), part.count <= size - Int(offset) else {
            throw .badChunk("it lies outside of the files' \(size) bytes")
        }
        let isTaken = state.withLock { state in
            state.touchedAt = now
            var received = state.received
            received.insert(offset..<offset + Int64(part.count))
            guard !state.isTaken, received.ranges.count <= Self.rangeLimit else { return false }
            if state.bytes.isEmpty { state.bytes = [UInt8](repeating: 0, count: size) }
            state.bytes.replaceSubrange(Int(offset)..<Int(offset) + part.count, with: part)
            state.received = received
            return true
        }
        guard isTaken else { throw .badChunk("the files are complete, or their parts are too scattered") }
    }

    /// Gives the files out, once.
    ///
    /// - Returns: Each wanted file whole, in their order.
    /// - Throws: ``TransferError/incomplete(missing:)``; ``TransferError/badChunk(_:)`` when they were taken before.
    func take() throws(TransferError) -> [WholeFile] {
        let (bytes, missing, wasTaken) = state.withLock { state in
            let missing = Int64(size) - state.received.count
            defer { if missing == 0 { (state.bytes, state.isTaken) = ([], true) } }
            return (state.bytes, missing, state.isTaken)
        }
        guard !wasTaken else { throw .badChunk("the files are complete") }
        guard missing == 0 else { throw .incomplete(missing: missing) }
        var place = 0
        return wanted.compactMap { index in
            guard var file = announced.files[index], let size = announced.sizes?[index] else { return nil }
            file.content = Array(bytes[place..<place + size])
            place += size
            return file
        }
    }
}
