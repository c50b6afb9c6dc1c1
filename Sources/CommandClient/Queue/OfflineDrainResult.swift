/// What one run through a computer's commands came to.
public struct OfflineDrainResult: Hashable, Sendable {
    /// Delivered, and out of the queue.
    public var succeeded = 0
    /// Tries that the computer answered with a failure.
    public var failed = 0
    /// The run stopped before the end: the first command has to be tried again, and the others wait behind it.
    public var isInterrupted = false

    public init(succeeded: Int = 0, failed: Int = 0, isInterrupted: Bool = false) {
        self.succeeded = succeeded
        self.failed = failed
        self.isInterrupted = isInterrupted
    }
}
