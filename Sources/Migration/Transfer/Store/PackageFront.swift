import Foundation

/// How many bytes of a package are there from its first one on without a gap, for a thread that reads them while the rest comes.
package final class PackageFront: @unchecked Sendable {
    // Every stored property below is read and written with the condition's lock held, and the condition is safe to share.
    private let condition = NSCondition()
    private var count: Int64 = 0
    private var isEnded = false

    package init() {}

    package func advance(to count: Int64) {
        condition.lock()
        defer { condition.unlock() }
        guard count > self.count else { return }
        self.count = count
        condition.broadcast()
    }

    /// Says that nobody waits for more of it: the transfer ended, or another package is offered.
    package func end() {
        condition.lock()
        defer { condition.unlock() }
        isEnded = true
        condition.broadcast()
    }

    /// Blocks until more bytes are there than `offset`.
    ///
    /// - Returns: How many are there.
    /// - Throws: `CancellationError` once it ended.
    package func wait(beyond offset: Int64) throws -> Int64 {
        condition.lock()
        defer { condition.unlock() }
        while count <= offset, !isEnded { condition.wait() }
        guard count > offset else { throw CancellationError() }
        return count
    }
}
