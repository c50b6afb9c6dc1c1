import Foundation

/// Writes stories as files of Markdown. What they show and which categories they are in is known before the first one.
struct MarkdownFiles {
    private let root: String
    private let files: [String: String]
    private let categories: [String: [String]]
    private let media: [String: [(id: String, file: String)]]
    /// Folders that are there.
    private var folders: Set<String> = []
    /// Stories that were written.
    private(set) var count = 0

    /// - Parameters:
    ///   - files: The files of media by their ids, below the export's folder.
    ///   - root: The export's folder.
    init(of snapshot: JournalSnapshot, _ files: [String: String], in root: String) throws {
        var all: [JournalCategory] = []
        try snapshot.forEachModel(.categories) { if let category = $0 as? JournalCategory { all.append(category) } }
        let tree = CategoryTree(all)
        let paths = Dictionary(
            all.map { ($0.id, tree.path(of: $0.id).joined(separator: "/")) },
            uniquingKeysWith: { first, _ in first }
        )
        var categories: [String: [String]] = [:]
        try snapshot.forEachModel(.relations) { record in
            guard let relation = record as? StoryCategory, let path = paths[relation.categoryId] else { return }
            categories[relation.storyId, default: []].append(path)
        }
        var media: [String: [(id: String, file: String)]] = [:]
        try snapshot.forEachModel(.media) { record in
            guard let medium = record as? Medium, let story = medium.storyId, let file = files[medium.id] else {
                return
            }
            media[story, default: []].append((medium.id, file))
        }
        (self.root, self.files, self.categories, self.media) = (root, files, categories, media)
    }

    /// - Throws: ``JournalError/notWritten(path:)``.
    mutating func write(_ story: Story) throws(JournalError) {
        let text = MarkdownStory(
            story: story,
            categories: (categories[story.id] ?? []).sorted(),
            media: media[story.id] ?? [],
            files: files
        )
        let path = text.path
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if folders.insert(folder).inserted { try NewFile.makeFolder(URL(filePath: "\(root)/\(folder)")) }
        try NewFile.write(Array(text.text.utf8), toNew: "\(root)/\(path)")
        count += 1
    }
}
