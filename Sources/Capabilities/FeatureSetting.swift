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

    public init(_ name: String, _ kind: Kind, summary: String) {
        self.name = name
        self.kind = kind
        self.summary = summary
    }
}
