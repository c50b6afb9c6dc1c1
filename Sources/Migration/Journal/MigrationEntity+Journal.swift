import Journal
import MigrationContainer

extension MigrationEntity {
    /// The journal's name for the same table.
    var recordKind: RecordKind {
        switch self {
        case .settings: .settings
        case .categories: .categories
        case .stories: .stories
        case .media: .media
        case .relations: .relations
        }
    }
}
