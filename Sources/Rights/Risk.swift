/// The risk of a method for the computer. Raw values are the wire's. Source: `docs/protocol.md`, "Skills and risk".
public enum Risk: String, Hashable, Sendable, Codable, Comparable {
    /// A method that reads something harmless.
    case safe = "Safe"
    /// A method that makes changes that can be changed back.
    case mutating = "Mutating"
    /// A method that can do everything that the computer's user can: terminal, file writes, agent prompts.
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
