/// The programs and forms that stories come from.
package enum ImportFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// An export of this program.
    case tandem
    case dayOne
    case joplin
    case markdown
}
