import Foundation
import Journal
import Kernel

/// Stories as a person reads them in a terminal. The answers' texts were made safe before.
enum JournalText {
    static func list(_ stories: [JournalControl.StoryEntry]) -> String {
        let ids = stories.map(\.id)
        return Output.table(
            ["DATE", "TITLE", "TEXT", "CATEGORIES", "MEDIA", "ID"],
            stories.map { story in
                [
                    day(story.timestamp), story.title.isEmpty ? "-" : story.title, story.excerpt,
                    story.categories.joined(separator: ", "), story.media > 0 ? "\(story.media)" : "",
                    Output.shortID(story.id, among: ids),
                ]
            }
        )
    }

    static func story(_ story: JournalControl.Story) -> String {
        var lines: [String] = []
        if let title = story.title { lines.append(title) }
        var facts = [Output.moment(story.timestamp)]
        facts += [story.mood, story.location].compactMap(\.self)
        if let latitude = story.latitude, let longitude = story.longitude { facts.append("\(latitude), \(longitude)") }
        lines += rows(facts.joined(separator: "  "))
        if !story.categories.isEmpty { lines += rows("in " + story.categories.map(\.path).joined(separator: ", ")) }
        if story.isDeleted { lines.append("It is deleted. Back with: tandem journal restore \(story.id.prefix(8))") }
        if !story.content.isEmpty { lines += [""] + rows(story.content) }
        if story.isCut { lines.append("The text goes on; it is whole in an export: tandem journal export FOLDER") }
        if !story.media.isEmpty { lines += ["", media(story.media)] }
        lines.append("")
        lines.append("id: \(story.id)")
        return lines.joined(separator: "\n")
    }

    static func media(_ media: [JournalControl.Medium]) -> String {
        Output.table(
            ["TYPE", "SIZE", "PIXELS", "STATE", "ID"],
            media.map { medium in
                [
                    medium.type, Output.size(medium.fileSize),
                    medium.width > 0 ? "\(medium.width)x\(medium.height)" : "", medium.broken ?? "", medium.id,
                ]
            }
        )
    }

    static func categories(_ categories: [JournalControl.CategoryEntry]) -> String {
        guard !categories.isEmpty else { return "There is no category. Make one: tandem journal category add Travel" }
        return Output.table(
            ["NAME", "STORIES", "COLOUR", "ID"],
            categories.map { category in
                let indent = String(repeating: "  ", count: min(max(category.level - 1, 0), 16))
                return [
                    indent + category.name, category.stories > 0 ? "\(category.stories)" : "", category.color,
                    category.id,
                ]
            }
        )
    }

    static func settings(_ settings: [JournalControl.Setting]) -> String {
        guard !settings.isEmpty else { return "No setting of the journal was changed." }
        return Output.table(["SETTING", "TYPE", "VALUE"], settings.map { [$0.key, $0.type, $0.value] })
    }

    static func imported(_ report: JournalControl.Imported) -> String {
        let names = ["tandem": "an export", "dayOne": "Day One", "joplin": "Joplin", "markdown": "Markdown"]
        let stories = [
            (report.added, "new"), (report.updated, "updated"), (report.unchanged, "unchanged"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let media = [(report.addedMedia, "new"), (report.unchangedMedia, "unchanged")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let parts = [
            stories.isEmpty ? "no stories" : "stories: " + stories.joined(separator: ", "),
            media.isEmpty ? nil : "media: " + media.joined(separator: ", "),
        ].compactMap(\.self)
        return "From \(names[report.format] ?? report.format): \(parts.joined(separator: "; "))."
    }

    static func exported(_ report: JournalControl.Exported) -> String {
        let stories = report.stories == 1 ? "1 story" : "\(report.stories) stories"
        let media = report.media == 1 ? "1 medium" : "\(report.media) media"
        return "\(stories) and \(media) are in \(Output.name(report.folder)), not encrypted."
    }

    private static func day(_ milliseconds: Int64) -> String {
        Date(millisecondsSince1970: milliseconds).formatted(date: .abbreviated, time: .omitted)
    }

    /// Broken where the window is narrower.
    private static func rows(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { TerminalText.rows(String($0), width: Output.width) }
    }
}
