/// Something of a phone that stays there when its data moves, and why.
public struct LeftBehind: Hashable, Sendable {
    public enum Thing: Hashable, Sendable {
        /// A table of the database that the feature has its tables in.
        case table(String)
        /// A folder or file at the top of the feature's folder.
        case folder(String)
        /// A key of the state folder's `keys`.
        case key(String)
        /// All keys of it whose names begin so.
        case keys(prefix: String)
        /// A name at the top of the state folder.
        case file(String)
    }

    public let thing: Thing
    /// A sentence for the next reader: why the new phone does without.
    public let reason: String

    public init(_ thing: Thing, because reason: String) {
        self.thing = thing
        self.reason = reason
    }
}
