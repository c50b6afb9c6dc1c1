/// The kinds of a journal's records. Source of the names and of the order: `docs/journal.md`, "Records".
package enum RecordKind: String, CaseIterable, Hashable, Sendable {
    case settings
    case categories
    case stories
    case media
    case relations

    /// The name of the file that holds all records of this kind in a package.
    package var fileName: String { self == .relations ? "relations_story_categories.json" : "\(rawValue).json" }
}
