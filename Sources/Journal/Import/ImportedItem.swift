/// One thing that an import brings.
enum ImportedItem: Sendable {
    case story(ImportedStory)
    /// A medium that no story shows.
    case medium(ImportedMedium)
}

/// A story of another program, in this program's terms.
struct ImportedStory: Sendable {
    /// How its categories are named.
    enum Categories: Sendable {
        /// Names from the top down, which are found or made.
        case paths([[String]])
        /// Categories that are there already.
        case relations([StoryCategory])
    }

    var story: Story
    var categories = Categories.paths([])
    var media: [ImportedMedium] = []
}

/// A medium of another program and its file.
struct ImportedMedium: Sendable {
    var medium: NewMedium
    /// The name by which a problem is told.
    var name: String
    /// The record of an export of this program, whose members stay.
    var record: Medium?
}

/// One item before it is read. What reading it throws is that item's problem alone.
struct ImportStep: Sendable {
    /// A file's name, or an entry's id.
    var name: String
    /// Waits for the disk.
    var read: @Sendable () throws -> ImportedItem
}

/// Why one item of an import was left out. The description is shown to the person.
enum ImportProblem: Error, Hashable, CustomStringConvertible {
    case noDate
    case noText
    case notReadable(member: String)
    case encrypted
    case noFile

    var description: String {
        switch self {
        case .noDate: "It has no date that can be read, so it was left out. Give it one and import it again."
        case .noText: "It has no text that can be read, so it was left out."
        case .notReadable(let member): "Its \(member) cannot be read, so it was left out."
        case .encrypted: "It is encrypted, so it was left out. Export it without encryption."
        case .noFile: "Its file is not in the export. The story came in without it."
        }
    }
}
