package import Storage

/// The sections of a phone: those of the role and of each feature.
package struct SectionCatalogue: Sendable {
    package struct Entry: Sendable {
        package let owner: SectionOwner
        package let declaration: SectionDeclaration

        package init(_ owner: SectionOwner, _ declaration: SectionDeclaration) {
            self.owner = owner
            self.declaration = declaration
        }
    }

    package let entries: [Entry]
    /// The tables of the role's database, of all its stores.
    package let schema: Schema
    /// The tables of each feature's own database.
    package let ownSchemas: [String: Schema]
    /// Tables of the role's database that stay as they are on the phone that takes a package.
    package let deviceTables: [String]

    /// - Throws: ``SectionError/badName(_:)`` and ``SectionError/twice(_:)``.
    package init(
        _ entries: [Entry],
        schema: Schema,
        ownSchemas: [String: Schema] = [:],
        deviceTables: [String] = []
    ) throws(SectionError) {
        var seen: Set<String> = []
        for name in entries.map(\.declaration.name) {
            guard SectionHeader.isName(name) else { throw .badName(name) }
            guard seen.insert(name).inserted else { throw .twice(name) }
        }
        self.entries = entries
        self.schema = schema
        self.ownSchemas = ownSchemas
        self.deviceTables = deviceTables
    }

    package func entry(named name: String) -> Entry? { entries.first { $0.declaration.name == name } }
}
