/// An earlier generation that can still be gone back to.
package struct KeptGeneration: Hashable, Codable, Sendable {
    package var generation: GenerationID
    /// The generation whose commit made it an earlier one.
    package var replacedBy: GenerationID
    /// The moment it was replaced. All times are milliseconds since 1970-01-01T00:00:00Z, by this device's clock.
    package var sinceMilliseconds: Int64
    /// Until then it is kept for certain, unless the disk gets full.
    package var untilMilliseconds: Int64
    /// When it was first seen to be overdue: it goes a day later, so that a clock that was wrong for a moment removes nothing.
    package var overdueSinceMilliseconds: Int64?

    enum CodingKeys: String, CodingKey {
        case generation
        case replacedBy
        case sinceMilliseconds
        case untilMilliseconds
        case overdueSinceMilliseconds
    }
}
