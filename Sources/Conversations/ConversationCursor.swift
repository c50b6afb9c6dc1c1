/// A position at which reading goes on. Valid for one file, also after it was compressed or unpacked.
public struct ConversationCursor: Hashable, Sendable {
    /// The position in the plain text of the file, in bytes.
    public var offset: Int64
    /// The record of the conversation's tree that comes next, for agents that keep a tree.
    public var link: String?
    /// The offset lies inside of a line that is too long to read.
    public var isInsideLine: Bool

    /// - Parameter offset: Where a line begins, unless `isInsideLine`.
    public init(offset: Int64, link: String? = nil, isInsideLine: Bool = false) {
        self.offset = offset
        self.link = link
        self.isInsideLine = isInsideLine
    }

    /// The beginning of a file.
    public static let start = ConversationCursor(offset: 0)
}
