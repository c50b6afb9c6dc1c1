import Foundation
import Kernel

/// Reads a folder of Markdown files with or without front matter, as note-taking programs write them. Folders become categories.
struct MarkdownImport {
    private static let endings = [".md", ".markdown"]

    let folder: ImportFolder
    private let shown = Shown()

    init(_ folder: ImportFolder) { self.folder = folder }

    static func isHere(_ folder: ImportFolder) -> Bool { !files(in: folder).isEmpty }

    private static func files(in folder: ImportFolder) -> [String] {
        folder.paths.filter { path in endings.contains { path.lowercased().hasSuffix($0) } }
    }

    func steps() -> [ImportStep] {
        Self.files(in: folder).map { path in ImportStep(name: path) { .story(try story(at: path)) } }
    }

    private func story(at path: String) throws -> ImportedStory {
        let (matter, body) = FrontMatter.split(try folder.text(path))
        let id = matter?.first("id", "uuid").flatMap { StableID.of($0) } ?? StableID.made(of: "markdown", path)
        var (content, links) = MarkdownLinks.replaced(in: body) { target in
            file(target, from: path).map { ($0, mediumID($0)) }
        }
        // An export of this program names the media there that its text does not show.
        for target in matter?.all("media") ?? [] {
            guard let found = file(target, from: path), !links.contains(where: { $0.path == found }) else { continue }
            links.append((found, mediumID(found)))
        }
        let stem = ImportFolder.stem(path)
        let heading = DayOneText.heading(of: content)
        let title = matter?.first("title") ?? heading?.title ?? stem
        let text = matter?.first("title") == nil ? heading?.rest ?? content : content
        guard text.utf8.count <= JournalLimits.content, title.utf8.count <= JournalLimits.title else {
            throw ImportProblem.notReadable(member: "text")
        }
        let date = try moment(matter, "date", "created", "created_at", "created at")
        guard let created = date ?? ImportDate.milliseconds(String(stem.prefix(10))) ?? folder.changed(path) else {
            throw ImportProblem.noDate
        }
        var story = Story(
            id: id,
            title: title,
            content: text.isEmpty ? nil : text,
            plainText: text.isEmpty ? nil : MarkdownText.plain(text),
            createdAt: created,
            updatedAt: try moment(matter, "updated", "modified", "updated_at", "updated at") ?? folder.changed(path)
                ?? created,
            happenedAt: created
        )
        story.mood = matter?.first("mood").flatMap { $0.utf8.count <= JournalLimits.name ? $0 : nil }
        story.locationName = matter?.first("location", "place").flatMap {
            $0.utf8.count <= JournalLimits.name ? $0 : nil
        }
        if let latitude = matter?.first("latitude", "lat").flatMap({ Double($0) }), latitude.isFinite,
            let longitude = matter?.first("longitude", "lon", "lng").flatMap({ Double($0) }), longitude.isFinite
        {
            story.place = StoryPlace(latitude: latitude, longitude: longitude, horizontalAccuracy: 0)
        }
        // Folders that are numbers are years and months.
        let folders = path.split(separator: "/").dropLast().map(String.init).filter {
            $0.contains { !$0.isNumber && $0 != "-" }
        }
        let named = (matter?.all("tags", "tag", "categories", "category") ?? []).map { tag in
            tag.drop { $0 == "#" }.split(separator: "/").map(String.init)
        }
        let media = links.filter { shown.isFirst($0.path, in: id) }
        return ImportedStory(
            story: story,
            categories: .paths((folders.isEmpty ? [] : [folders]) + named.filter { !$0.isEmpty }),
            media: media.map { medium($0.path, $0.id, story: story) }
        )
    }

    private func moment(_ matter: FrontMatter?, _ keys: String...) throws -> Int64? {
        for key in keys {
            guard let text = matter?.first(key) else { continue }
            guard let moment = ImportDate.milliseconds(text) else { throw ImportProblem.notReadable(member: key) }
            return moment
        }
        return nil
    }

    /// The file that a link means: beside the note, below the root, or the only one of its name.
    private func file(_ target: String, from path: String) -> String? {
        guard !target.contains("://"), !target.hasPrefix("#"), !target.hasPrefix("mailto:") else { return nil }
        let target = target.removingPercentEncoding ?? target
        let beside = path.split(separator: "/").dropLast().joined(separator: "/")
        let found =
            folder.file("\(beside)/\(target)") ?? folder.file(target) ?? folder.only(named: ImportFolder.last(target))
        guard let found, !Self.endings.contains(where: { found.lowercased().hasSuffix($0) }) else { return nil }
        return found
    }

    private func mediumID(_ path: String) -> String { StableID.made(of: "markdown medium", path) }

    private func medium(_ path: String, _ id: String, story: Story) -> ImportedMedium {
        ImportedMedium(
            medium: NewMedium(
                id: id,
                kind: MediumKind(ofFile: path),
                fileExtension: NewMedium.ending(of: path),
                source: folder.url(path),
                createdAt: story.happenedAt,
                storyId: story.id
            ),
            name: path
        )
    }
}
