/// What a feature knows of a device that is known to its role by its key alone.
public struct KnownDevice: Hashable, Sendable {
    /// The device's name, as its person gave it.
    public var name: String
    /// Whose device it is, as people of this role are called.
    public var person: String

    public init(name: String, person: String) {
        self.name = name
        self.person = person
    }
}
