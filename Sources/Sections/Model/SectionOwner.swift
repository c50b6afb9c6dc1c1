/// Where a section's rows and files are on a phone.
package enum SectionOwner: Hashable, Sendable {
    /// The role's own database and state folder.
    case role
    /// A feature's folder, and its own database where it has one; else its tables are in the role's.
    case feature(String, hasOwnDatabase: Bool)

    /// The name of the database of its own; nil for tables in the role's.
    var ownDatabase: String? {
        if case .feature(let name, hasOwnDatabase: true) = self { name } else { nil }
    }

    /// The name of the feature's folder; nil for the role.
    var feature: String? {
        if case .feature(let name, _) = self { name } else { nil }
    }
}
