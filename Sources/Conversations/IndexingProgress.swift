/// The progress of the index of a computer's conversations.
public struct IndexingProgress: Hashable, Sendable {
    /// Files that were read.
    public var done: Int
    /// Files that there are.
    public var total: Int

    public init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}
