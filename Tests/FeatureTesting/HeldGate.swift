import Foundation

/// A gate that threads wait at until a test opens it, a minute at most. Every thread that comes later passes.
package final class HeldGate: Sendable {
    private let condition = NSCondition()
    // Read and written only while `condition` is locked.
    nonisolated(unsafe) private var isOpen = false

    package init() {}

    package func open() {
        condition.withLock { isOpen = true }
        condition.broadcast()
    }

    package func wait() {
        let limit = Date(timeIntervalSinceNow: 60)
        condition.withLock {
            while !isOpen, condition.wait(until: limit) {}
        }
    }
}
