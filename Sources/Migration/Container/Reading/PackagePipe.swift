import Foundation

/// Brings bytes from whoever receives them to a thread that reads them, a few pieces at a time: the writer waits while the reader is behind.
/// One writer, one reader.
public final class PackagePipe: @unchecked Sendable {
    // Every stored property below is read and written with the condition's lock held, and the condition is safe to share.
    private let condition = NSCondition()
    private let limit: Int
    private var pieces: [[UInt8]] = []
    private var waitingBytes = 0
    private var isFinished = false
    private var failure: (any Error)?
    private var isReaderGone = false

    /// - Parameter limit: Bytes that wait for the reader at most, beside one piece.
    public init(limit: Int = 4 << 20) { self.limit = limit }

    /// Hands bytes over; blocks while the reader is behind, so it is called on a thread that may block.
    ///
    /// - Returns: False where the reader has ended: no more bytes are wanted.
    public func write(_ bytes: [UInt8]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while waitingBytes >= limit, !isReaderGone, failure == nil { condition.wait() }
        guard !isReaderGone, failure == nil, !isFinished else { return false }
        guard !bytes.isEmpty else { return true }
        pieces.append(bytes)
        waitingBytes += bytes.count
        condition.broadcast()
        return true
    }

    /// Says that all bytes were written, or why no more come; the reader's call throws that.
    public func finish(_ failure: (any Error)? = nil) {
        condition.lock()
        defer { condition.unlock() }
        isFinished = true
        if self.failure == nil { self.failure = failure }
        condition.broadcast()
    }

    /// The next bytes; blocks until there are any. Empty at the end.
    ///
    /// - Throws: What the writer finished with.
    public func read() throws -> [UInt8] {
        condition.lock()
        defer { condition.unlock() }
        while pieces.isEmpty, !isFinished { condition.wait() }
        if let failure { throw failure }
        guard !pieces.isEmpty else { return [] }
        let bytes = pieces.removeFirst()
        waitingBytes -= bytes.count
        condition.broadcast()
        return bytes
    }

    /// Says that nothing is read any more, so that the writer does not wait for ever.
    public func stopReading() {
        condition.lock()
        defer { condition.unlock() }
        isReaderGone = true
        pieces.removeAll()
        waitingBytes = 0
        condition.broadcast()
    }
}
