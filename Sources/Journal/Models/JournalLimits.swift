/// The bounds of a journal's parts, in bytes of UTF-8 where nothing else is said. They are checked before a value is believed or kept.
package enum JournalLimits {
    /// Ids of records and of keys.
    static let identifier = 128
    /// Names of categories, moods, places.
    static let name = 1 << 10
    static let title = 4 << 10
    /// A story's Markdown, and its plain text.
    static let content = 4 << 20
    /// A story that is written or shown through a command or a page: its JSON fits into one line of the control socket.
    static let shown = 512 << 10
    /// A category's own icon, in bytes of the picture.
    static let icon = 1 << 20
    static let settingValue = 1 << 20
    /// Members that this version does not know, as JSON text of one record.
    static let extra = 1 << 20
    /// Levels of categories below each other.
    static let depth = 64
    /// A file that a page puts into a story, in bytes.
    static let upload = 2 << 30
    /// A picture that a thumbnail is made of, in bytes of its file.
    static let picture: Int64 = 64 << 20
    /// Width × height of a picture that is decoded for its thumbnail.
    static let pixels = 64_000_000
    /// The longer edge of a thumbnail, in pixels.
    static let thumbnailEdge = 480
    /// Stories in one answer.
    static let page = 200
    /// A file of text that an import reads at once, in bytes of the file.
    static let importedText: Int64 = 512 << 20
    /// Problems of an import or of a restore that are named; the rest is counted.
    static let problems = 1000
}
