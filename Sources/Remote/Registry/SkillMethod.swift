/// One method as the registry describes it. Source: `docs/protocol.md`, "Registry".
public struct SkillMethod: Hashable, Sendable, Codable {
    /// In full, for example `clipboard.get`.
    public var name: String
    public var description: String
    public var parameterCount: Int
    public var parameterSummary: String?
    public var returnTypeHint: String?
    /// Instead of the skill's.
    public var riskOverride: Risk?
    /// Before everything else.
    public var requiresApprovalOverride: Bool?

    public init(
        _ name: String,
        _ description: String,
        parameterCount: Int = 0,
        parameterSummary: String? = nil,
        returnTypeHint: String? = nil,
        riskOverride: Risk? = nil,
        requiresApprovalOverride: Bool? = nil
    ) {
        self.name = name
        self.description = description
        self.parameterCount = parameterCount
        self.parameterSummary = parameterSummary
        self.returnTypeHint = returnTypeHint
        self.riskOverride = riskOverride
        self.requiresApprovalOverride = requiresApprovalOverride
    }

    enum CodingKeys: String, CodingKey {
        case name
        case description
        case parameterCount = "paramCount"
        case parameterSummary = "paramSummary"
        case returnTypeHint
        case riskOverride
        case requiresApprovalOverride
    }
}
