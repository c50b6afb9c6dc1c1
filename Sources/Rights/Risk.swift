/// How much a method can do to the computer. Raw values are the wire's. Source: `docs/protocol.md`, "Skills and risk".
public enum Risk: String, Hashable, Sendable, Codable, Comparable {
    /// Reads something harmless.
    case safe = "Safe"
    /// Changes something that can be changed back.
    case mutating = "Mutating"
    /// Can do everything that its user can: terminal, file writes, agent prompts.
    case privileged = "Privileged"

    private var rank: Int {
        switch self {
        case .safe: 0
        case .mutating: 1
        case .privileged: 2
        }
    }

    public static func < (left: Risk, right: Risk) -> Bool { left.rank < right.rank }
}
