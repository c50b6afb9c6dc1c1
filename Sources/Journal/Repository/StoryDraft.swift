/// A story as somebody wrote it, or what is to be changed of one. A nil member stays as it is; an empty text takes it away.
struct StoryDraft: Hashable, Sendable {
    var title: String?
    /// Markdown.
    var content: String?
    /// Milliseconds since 1970.
    var happenedAt: Int64?
    var mood: String?
    var locationName: String?
    var place: StoryPlace?
    /// Categories by id, path or name, in place of those that the story has.
    var categories: [String]?

    /// - Throws: ``JournalError/tooLong(_:limit:)``.
    func check() throws(JournalError) {
        let texts = [
            ("title", title, JournalLimits.title), ("story", content, JournalLimits.shown),
            ("mood", mood, JournalLimits.name),
            ("place's name", locationName, JournalLimits.name),
        ]
        for (what, text, limit) in texts where (text?.utf8.count ?? 0) > limit {
            throw .tooLong(what, limit: limit)
        }
    }

    /// The story with these changes.
    func applied(to story: Story, at moment: Int64) -> Story {
        var story = story
        if let title { story.title = title.isEmpty ? nil : title }
        if let content {
            story.content = content.isEmpty ? nil : content
            story.plainText = content.isEmpty ? nil : MarkdownText.plain(content)
        }
        if let happenedAt { story.happenedAt = happenedAt }
        if let mood { story.mood = mood.isEmpty ? nil : mood }
        if let locationName { story.locationName = locationName.isEmpty ? nil : locationName }
        if let place { story.place = place }
        // Always later than before: an import of an older copy must not win.
        story.updatedAt = max(moment, story.updatedAt + 1)
        story.syncStatus = Story.unsynced
        return story
    }
}
