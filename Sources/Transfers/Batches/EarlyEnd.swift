import Synchronization

/// Tells a call that blocks that it is to end before it is done: its right was taken, or nobody waits for it any more.
package final class EarlyEnd: Sendable {
    private let reason = Mutex<(any Error)?>(nil)

    package init() {}

    /// The first reason stays.
    package func end(_ error: any Error) {
        reason.withLock { reason in
            if reason == nil { reason = error }
        }
    }

    /// - Throws: The reason, once there is one.
    package func check() throws {
        if let reason = reason.withLock(\.self) { throw reason }
    }
}
