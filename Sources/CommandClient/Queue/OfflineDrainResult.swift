/// The result of one run through a computer's commands.
package struct OfflineDrainResult: Hashable, Sendable {
    /// Delivered, and out of the queue.
    package var succeeded = 0
    /// Tries that the computer answered with a failure.
    package var failed = 0
    /// The run stopped before the end: the first command has to be tried again, and the others wait behind it.
    package var isInterrupted = false

    package init(succeeded: Int = 0, failed: Int = 0, isInterrupted: Bool = false) {
        self.succeeded = succeeded
        self.failed = failed
        self.isInterrupted = isInterrupted
    }
}
