import CZstd

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The text of a zstd file by offset. It is unpacked from the beginning and never held whole: going back means beginning again,
/// so the last megabytes before the newest position stay in memory for what is read backwards.
final class UnpackedBytes {
    /// More is never unpacked of one file, however large it is.
    static let limit: Int64 = 32 << 30
    /// Histories are packed to a tenth or less. What becomes a hundred times as large was made to keep its readers busy.
    static let ratio: Int64 = 100
    /// The bytes that are unpacked of small files in any case, whatever their ratio.
    static let smallLimit: Int64 = 64 << 20
    /// The size of the window kept in memory, at first and at most, in bytes.
    static let windowSizes = (first: 4 << 20, most: 16 << 20)

    /// Frames that ask for more memory than this many bits of window are refused: 128 MiB.
    private static let windowLog: Int32 = 27

    /// Bytes unpacked since the file was opened, over all passes.
    private(set) var produced: Int64 = 0
    /// Why the text ends early.
    private(set) var damage: String?

    private let descriptor: Int32
    private let path: String
    private let decoder: OpaquePointer
    private let budget: ReadingBudget
    /// Bytes of text that are unpacked.
    private let limit: Int64
    private var packed = [UInt8](repeating: 0, count: 64 << 10)
    private var piece = [UInt8](repeating: 0, count: 128 << 10)
    private var packedRange = 0..<0
    private var packedOffset: Int64 = 0
    private var isFrameOpen = false
    private var hasEnded = false
    private var knownEnd: Int64?
    /// Where the decoder stands in the text.
    private var position: Int64 = 0
    /// The newest text before `position`, at most two windows of it.
    private var window: [UInt8] = []
    private var windowSize = windowSizes.first

    /// - Parameter packedSize: Bytes of the file on disk.
    init(
        descriptor: Int32,
        path: String,
        packedSize: Int64,
        budget: ReadingBudget
    ) throws(AgentHistoryError) {
        guard let decoder = ZSTD_createDStream() else { throw .system(path: path, reason: "there is no memory left") }
        self.descriptor = descriptor
        self.path = path
        self.decoder = decoder
        self.budget = budget
        limit = Self.limit(packedSize: packedSize)
        _ = ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.windowLog)
    }

    static func limit(packedSize: Int64) -> Int64 {
        let (most, overflow) = packedSize.multipliedReportingOverflow(by: ratio)
        return overflow ? limit : min(limit, max(smallLimit, most))
    }

    deinit { ZSTD_freeDStream(decoder) }

    /// Nil where the text is longer than `limit`.
    func end(within limit: Int64) throws(AgentHistoryError) -> Int64? {
        if let knownEnd { return knownEnd }
        try advance(to: limit)
        guard hasEnded else { return nil }
        if position == 0, let damage { throw .damaged(path: path, reason: damage) }
        knownEnd = position
        return position
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AgentHistoryError) -> Int {
        let (wanted, overflow) = offset.addingReportingOverflow(Int64(buffer.count))
        guard !overflow, offset >= 0 else { return 0 }
        if offset < position - Int64(window.count) {
            restart()
            // It is read backwards: the further each pass reaches, the fewer there are.
            windowSize = min(2 * windowSize, Self.windowSizes.most)
        }
        try advance(to: wanted)
        if position == 0, let damage { throw .damaged(path: path, reason: damage) }
        let windowStart = position - Int64(window.count)
        guard offset >= windowStart, offset < position else { return 0 }
        let start = Int(offset - windowStart)
        let count = min(buffer.count, window.count - start)
        window.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
        }
        return count
    }

    private func restart() {
        _ = ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only)
        packedRange = 0..<0
        packedOffset = 0
        isFrameOpen = false
        hasEnded = false
        position = 0
        window.removeAll(keepingCapacity: true)
    }

    private func advance(to wanted: Int64) throws(AgentHistoryError) {
        while position < wanted, !hasEnded {
            guard position < limit else { throw .tooLarge(path: path, limit: limit) }
            try budget.check(path)
            let count = try unpack()
            window.append(contentsOf: piece[..<count])
            position += Int64(count)
            produced += Int64(count)
            if window.count > 2 * windowSize { window.removeFirst(window.count - windowSize) }
        }
    }

    /// Returns how many bytes came into `piece`; 0 does not mean the end, which `hasEnded` says.
    private func unpack() throws(AgentHistoryError) -> Int {
        let isAtEnd = packedRange.isEmpty ? try !refill() : false
        var made = 0
        var taken = 0
        var failure: String?
        packed.withUnsafeBytes { source in
            piece.withUnsafeMutableBytes { target in
                var input = ZSTD_inBuffer(
                    src: source.baseAddress,
                    size: packedRange.upperBound,
                    pos: packedRange.lowerBound
                )
                var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let result = ZSTD_decompressStream(decoder, &output, &input)
                if ZSTD_isError(result) != 0 {
                    failure = String(cString: ZSTD_getErrorName(result))
                } else {
                    // At the end, with nothing taken, the answer is about a frame that never began.
                    if input.pos > packedRange.lowerBound || output.pos > 0 { isFrameOpen = result != 0 }
                }
                made = output.pos
                taken = input.pos
            }
        }
        if let failure {
            damage = failure
            hasEnded = true
        } else if made == 0, taken == packedRange.lowerBound {
            // The library says nothing about a file that ends inside of a frame.
            if !isAtEnd || isFrameOpen { damage = "it ends in the middle" }
            hasEnded = true
        }
        packedRange = taken..<packedRange.upperBound
        return made
    }

    /// False at the end of the file.
    private func refill() throws(AgentHistoryError) -> Bool {
        let size = packed.count
        while true {
            let count = pread(descriptor, &packed, size, off_t(packedOffset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AgentHistoryError(errno: errno, path: path) }
            packedOffset += Int64(count)
            packedRange = 0..<count
            return count > 0
        }
    }
}
