/// The part a device has in a migration. Which of the two dials is independent of it.
public enum MigrationRole: String, Hashable, Codable, Sendable {
    /// The old phone, which sends.
    case source
    /// The new phone, which receives and shows the PIN.
    case target

    public var other: MigrationRole { self == .source ? .target : .source }
}
