public import Rights

/// What a phone must be allowed to call a method: one right, or any of several, by the name that refusals and the registry give it.
public struct Permission: Hashable, Sendable {
    /// Of one right its raw value, of several the group's name.
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
