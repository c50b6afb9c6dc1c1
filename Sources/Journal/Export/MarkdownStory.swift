import Foundation
import Kernel

/// A story as a Markdown file with front matter.
struct MarkdownStory {
    let story: Story
    /// Paths as `Travel/Italy`.
    let categories: [String]
    /// Its media and their files, below the export's folder.
    let media: [(id: String, file: String)]
    /// Files of all media by ids.
    let files: [String: String]

    /// The file below the export's folder: `stories/2026/2026-11-28 A walk 1f0c2b3a.md`. The end of it makes it the only one of its name.
    var path: String {
        let day = CivilTime(milliseconds: story.happenedAt).dayText
        let title = story.title ?? MarkdownText.title(story.plainText ?? "", limit: 60)
        let short = StableID.made(of: "file", story.id).prefix(8)
        let name = [day, Self.plain(title), String(short)].filter { !$0.isEmpty }.joined(separator: " ")
        return "stories/\(day.prefix(4))/\(name).md"
    }

    var text: String {
        var lines = ["---", "id: \(Self.quoted(story.id))"]
        if let title = story.title { lines.append("title: \(Self.quoted(title))") }
        lines.append("date: \(Self.moment(story.happenedAt))")
        lines.append("created: \(Self.moment(story.createdAt))")
        lines.append("updated: \(Self.moment(story.updatedAt))")
        if let mood = story.mood { lines.append("mood: \(Self.quoted(mood))") }
        if let name = story.locationName { lines.append("location: \(Self.quoted(name))") }
        if let place = story.place {
            lines += ["latitude: \(place.latitude)", "longitude: \(place.longitude)"]
        }
        if !categories.isEmpty { lines.append("categories: [\(categories.map(Self.quoted).joined(separator: ", "))]") }
        // Media that the text does not show.
        let other = media.filter { !content.contains("media://\($0.id)") }.map { Self.quoted("../../\($0.file)") }
        if !other.isEmpty { lines.append("media: [\(other.joined(separator: ", "))]") }
        return (lines + ["---", "", linked, ""]).joined(separator: "\n")
    }

    private var content: String { story.content ?? "" }

    /// The text with links to the files.
    private var linked: String {
        guard TextBytes.contains("media://", in: content) else { return content }
        var (result, rest) = ("", Substring(content))
        while let mark = rest.range(of: "media://") {
            let id = rest[mark.upperBound...].prefix { !$0.isWhitespace && $0 != ")" && $0 != ">" && $0 != "\"" }
            result += rest[..<mark.lowerBound]
            result += files[String(id)].map { "../../\($0)" } ?? "media://\(id)"
            rest = rest[mark.upperBound...].dropFirst(id.count)
        }
        return result + rest
    }

    /// A text in double quotes: JSON's are YAML's, too.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONValue.appendQuoted(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func moment(_ milliseconds: Int64) -> String { CivilTime(milliseconds: milliseconds).text }

    /// Letters, digits and spaces that every file system takes, at most 60 characters.
    private static func plain(_ title: String) -> String {
        // Nobody sees more of it, and a title may be long.
        let kept = title.prefix(120).map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : " " }
        let words = String(kept).split(separator: " ").joined(separator: " ")
        return words.prefix(60).trimmingCharacters(in: .whitespaces)
    }
}
