/// The subject of a skill. Raw values are the wire's; one that this version has never heard of survives.
package struct SkillCategory: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }
}
