/// How many records of each kind a journal has, removed stories among them.
package struct JournalCounts: Hashable, Sendable {
    package var settings = 0
    package var categories = 0
    package var stories = 0
    package var media = 0
    package var relations = 0

    package subscript(kind: RecordKind) -> Int {
        switch kind {
        case .settings: settings
        case .categories: categories
        case .stories: stories
        case .media: media
        case .relations: relations
        }
    }
}
