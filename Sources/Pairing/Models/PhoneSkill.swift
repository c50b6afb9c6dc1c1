/// Something a paired phone may be allowed to do at this computer. An open set: what enforces it names it.
public struct PhoneSkill: Hashable, Sendable, RawRepresentable, Codable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// What a phone may do right after pairing: look, and be told. The rest is given by the person at the computer.
    public static let initial: Set<PhoneSkill> = ["clipboard", "display", "notification", "system.info", "history"]
    /// What a phone may do that speaks only the documented wire: nothing that a listener could misuse.
    public static let initialInTheClear: Set<PhoneSkill> = ["notification", "system.info"]
}
