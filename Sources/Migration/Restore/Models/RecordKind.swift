/// The files of records in a package, in the order in which they are put into a database. Source: `docs/migration.md`, "What comes in".
package enum RecordKind: String, Hashable, Codable, Sendable, CaseIterable {
    case settings
    case categories
    case stories
    case media
    case relations = "relations_story_categories"

    /// The entry's name in a package.
    package var entryName: String { "coredata/\(rawValue).json" }

    /// The name under which the manifest counts them; relations have no count.
    package var entityName: String? {
        switch self {
        case .settings: "SettingEntity"
        case .categories: "CategoryEntity"
        case .stories: "StoryEntity"
        case .media: "MediaEntity"
        case .relations: nil
        }
    }
}
