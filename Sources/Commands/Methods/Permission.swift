public import Rights

/// The permission that a phone needs to call a method: one right, or any of several, by the name that refusals and the registry give it.
public struct Permission: Hashable, Sendable {
    /// The raw value of a single right; for several, the group's name.
    public let name: String
    /// Each of them opens it.
    public let rights: Set<Right>

    public init(_ right: Right) {
        name = right.rawValue
        rights = [right]
    }

    /// - Parameter group: The name of these rights together, for example `file`.
    public init(anyOf rights: Set<Right>, group: String) {
        name = group
        self.rights = rights
    }
}
