/// A table of records in a package, in the order in which they stand there and are imported: what others point to comes first.
public enum MigrationEntity: String, CaseIterable, Codable, Hashable, Sendable {
    case settings
    case categories
    case stories
    case media
    case relations

    /// The entry that holds its records, as one JSON array.
    public var path: String {
        switch self {
        case .relations: "coredata/relations_story_categories.json"
        default: "coredata/\(rawValue).json"
        }
    }

    /// The key of its count in the manifest; relations have none.
    public var statsKey: String? {
        switch self {
        case .settings: "SettingEntity"
        case .categories: "CategoryEntity"
        case .stories: "StoryEntity"
        case .media: "MediaEntity"
        case .relations: nil
        }
    }
}
