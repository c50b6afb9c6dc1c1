public import GRDB
public import Storage

/// A feature's part of a phone's data, which moves to a new phone as one: a fact of the feature's manifest, so that it can be taken out and put
/// back while the feature is not made.
public struct SectionDeclaration: Sendable {
    /// The name in a package's manifest, unique on a phone: 1 to 64 small letters, digits and hyphens. It never changes.
    public let name: String
    /// Counts what changed besides the tables: the meaning of files and of values. It only grows.
    public let layout: Int
    /// The steps that make the section's tables. They are the section's version, too: a phone of a later version takes rows of an earlier one in
    /// the tables of that time, and brings them up to date by the steps that every update runs.
    public let migrations: [Migration]
    /// The tables whose rows are in it, in the order in which they are put back. Indices, triggers and indices of words are made from these.
    public let tables: [String]
    /// Folders within the feature's folder whose files are in it.
    public let folders: [String]
    /// Secret keys of the phone that are in it, by their names in the state folder's `keys`.
    package let keys: [String]
    /// Names at the top of the role's state folder whose files are in it.
    package let files: [String]
    /// Changes what is true of one phone only, once all rows are in their tables and these are up to date.
    public let adapt: @Sendable (Database) throws -> Void

    public init(
        _ name: String,
        layout: Int = 1,
        migrations: [Migration] = [],
        tables: [String] = [],
        folders: [String] = [],
        adapt: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.init(
            name,
            layout: layout,
            migrations: migrations,
            tables: tables,
            folders: folders,
            keys: [],
            adapt: adapt
        )
    }

    package init(
        _ name: String,
        layout: Int = 1,
        migrations: [Migration] = [],
        tables: [String] = [],
        folders: [String] = [],
        keys: [String],
        files: [String] = [],
        adapt: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.name = name
        self.layout = layout
        self.migrations = migrations
        self.tables = tables
        self.folders = folders
        self.keys = keys
        self.files = files
        self.adapt = adapt
    }

    /// The version in a package's manifest: it grows with each step of the tables and each change of the layout.
    public var version: Int { layout + migrations.count }

    /// The first components of the paths of its files.
    var roots: [String] {
        folders.map { "folders/\($0)" } + keys.map { "keys/\($0)" } + files.map { "files/\($0)" }
    }
}
