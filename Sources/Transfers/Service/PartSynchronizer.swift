import Synchronization

/// Brings a partial file to the disk: beside its writer, and for it before a promise is made.
///
/// An error stays. The system tells it once, to the first caller, and the bytes it was about are lost although the next call succeeds.
package final class PartSynchronizer: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    package init() {}

    /// Waits for a call that is under way. Off the cooperative threads only: it waits for a disk.
    package func synchronize(_ part: any PartialFile) throws {
        try failure.withLock { failure in
            if let failure { throw failure }
            do {
                try part.synchronize()
            } catch {
                failure = error
                throw error
            }
        }
    }
}
