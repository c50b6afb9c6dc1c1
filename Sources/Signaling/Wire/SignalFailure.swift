import Kernel

/// An `error` frame. Relays give a text only; ours also gives a code that never changes.
public struct SignalFailure: Hashable, Sendable {
    /// The error code, for programs. An open set.
    public enum Code: Hashable, Sendable, RawRepresentable {
        case proofFailed, proofRequired, keyMismatch, aliasLimit, aliasTaken
        case other(String)

        private static let known: [String: Code] = [
            "proof-failed": .proofFailed, "proof-required": .proofRequired, "key-mismatch": .keyMismatch,
            "alias-limit": .aliasLimit, "alias-taken": .aliasTaken,
        ]

        public init(rawValue: String) { self = Self.known[rawValue] ?? .other(rawValue) }

        public var rawValue: String {
            switch self {
            case .proofFailed: "proof-failed"
            case .proofRequired: "proof-required"
            case .keyMismatch: "key-mismatch"
            case .aliasLimit: "alias-limit"
            case .aliasTaken: "alias-taken"
            case .other(let code): code
            }
        }
    }

    /// The error text in the server's words.
    public var text: String
    /// The error code; nil from relays other than ours.
    public var code: Code?
    /// The wait before another try makes sense; nil where the server does not say.
    public var retryAfter: Duration?

    private static let longestWait: Int64 = 86_400_000

    init(_ frame: JSONValue) {
        text = frame["error"]?.stringValue ?? ""
        code = frame["code"]?.stringValue.map(Code.init(rawValue:))
        retryAfter = frame["retryAfter"]?.integerValue.flatMap {
            (0...Self.longestWait).contains($0) ? .milliseconds($0) : nil
        }
    }
}
