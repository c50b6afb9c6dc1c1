import Commands
package import Rights

/// One method as the registry describes it. Source: `docs/protocol.md`, "Registry".
package struct SkillMethod: Hashable, Sendable, Codable {
    /// In full, for example `clipboard.get`.
    package var name: String
    package var description: String
    package var parameterCount: Int
    package var parameterSummary: String?
    package var returnTypeHint: String?
    /// The method's own risk; it replaces the skill's.
    package var riskOverride: Risk?
    /// The method's own need of a yes; it overrides everything else.
    package var requiresApprovalOverride: Bool?

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
