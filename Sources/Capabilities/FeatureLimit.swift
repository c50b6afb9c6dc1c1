/// A bound that a feature keeps, for who looks after the role: what it counts, and how much of it there may be.
public struct FeatureLimit: Hashable, Sendable {
    /// The name: of the setting, for one that can be set; otherwise a name of its own, in the same spelling.
    public let name: String
    public let value: Int
    /// Where nothing was set.
    public let standard: Int
    /// For example `bytes` or `messages`.
    public let unit: String
    /// One line for people: what is counted, and what happens beyond it.
    public let summary: String

    /// - Parameter standard: Nil for a bound that cannot be set.
    public init(_ name: String, _ value: Int, standard: Int? = nil, unit: String, summary: String) {
        self.name = name
        self.value = value
        self.standard = standard ?? value
        self.unit = unit
        self.summary = summary
    }
}
