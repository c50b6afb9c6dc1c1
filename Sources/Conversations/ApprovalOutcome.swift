/// The outcome of an answer to an approval: of several answers the first counts.
public struct ApprovalOutcome: Hashable, Sendable {
    /// False: it was answered before, or the agent waits no more.
    public var counted: Bool
    /// The option that it was answered with; nil where it was not answered.
    public var option: String?
    /// The device that answered, by its name.
    public var by: String?

    public init(counted: Bool, option: String?, by: String?) {
        self.counted = counted
        self.option = option
        self.by = by
    }
}
