/// One member of a frame's top level.
public struct FrameMember: Hashable, Sendable {
    /// With its escapes resolved.
    public let key: String
    /// The key as it stands, with its quotes.
    public let keyRange: Range<Int>
    /// The value as it stands, strings with their quotes.
    public let valueRange: Range<Int>
}
