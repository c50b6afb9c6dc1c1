/// Something that the owner can set for a feature.
public struct FeatureSetting: Hashable, Sendable {
    /// The kinds of values.
    public enum Kind: Hashable, Sendable {
        case flag, text, integer
    }

    /// The name in `config.json`, for example `clipboardHistory`.
    public let name: String
    public let kind: Kind
    /// One line for people: what it does.
    public let summary: String
    /// Whether its value is shown to nobody, such as a password.
    public let isSecret: Bool

    public init(_ name: String, _ kind: Kind, isSecret: Bool = false, summary: String) {
        self.name = name
        self.kind = kind
        self.isSecret = isSecret
        self.summary = summary
    }
}
