import Foundation
import Kernel

/// Reads an export of Joplin, a JEX that was unpacked or its folder form: a file for each note, notebook, tag and resource, and the resources'
/// bytes in `resources`.
struct JoplinImport {
    private enum ItemType: String {
        case note = "1"
        case notebook = "2"
        case resource = "4"
        case tag = "5"
        case noteTag = "6"
    }

    private struct Index {
        var notes: [String] = []
        var notebooks: [String: JoplinItem] = [:]
        var resources: [String: JoplinItem] = [:]
        var tags: [String: String] = [:]
        var tagsOfNote: [String: [String]] = [:]
        var unread: [(String, any Error)] = []
    }

    let folder: ImportFolder

    private static func items(in folder: ImportFolder) -> [String] {
        folder.paths.filter { path in
            let stem = ImportFolder.stem(path)
            return path.hasSuffix(".md") && !path.contains("/") && stem.utf8.count == 32
                && Hexadecimal.decode(stem) != nil
        }
    }

    static func isHere(_ folder: ImportFolder) -> Bool {
        // Some of them may be damaged.
        items(in: folder).prefix(64).contains { path in (try? folder.text(path)).flatMap { JoplinItem($0) } != nil }
    }

    func steps() -> [ImportStep] {
        var index = Index()
        for path in Self.items(in: folder) {
            do {
                guard let item = JoplinItem(try folder.text(path)) else {
                    throw ImportProblem.notReadable(member: "description")
                }
                note(item, at: path, in: &index)
            } catch {
                index.unread.append((path, error))
            }
        }
        let known = index
        let unread = known.unread.map { path, error in ImportStep(name: path) { throw error } }
        let shown = Shown()
        return unread
            + known.notes.map { path in
                ImportStep(name: path) { .story(try story(at: path, known, shown)) }
            }
    }

    private func note(_ item: JoplinItem, at path: String, in index: inout Index) {
        let id = item["id"] ?? ImportFolder.stem(path)
        switch ItemType(rawValue: item["type_"] ?? "") {
        case .note: index.notes.append(path)
        case .notebook: index.notebooks[id] = item
        case .resource: index.resources[id] = item
        case .tag: index.tags[id] = item.title
        case .noteTag:
            guard let note = item["note_id"], let tag = item["tag_id"] else { return }
            index.tagsOfNote[note, default: []].append(tag)
        // Revisions, settings and keys: nothing that somebody wrote.
        case nil: break
        }
    }

    private func story(at path: String, _ index: Index, _ shown: Shown) throws -> ImportedStory {
        guard let item = JoplinItem(try folder.text(path)) else {
            throw ImportProblem.notReadable(member: "description")
        }
        guard item["encryption_applied"] != "1" else { throw ImportProblem.encrypted }
        let source = item["id"] ?? ImportFolder.stem(path)
        guard let id = StableID.of(source) else { throw ImportProblem.notReadable(member: "id") }
        guard let created = moment("created_time", of: item) else { throw ImportProblem.noDate }
        let (content, resources) = linked(item.body)
        guard content.utf8.count <= JournalLimits.content, item.title.utf8.count <= JournalLimits.title else {
            throw ImportProblem.notReadable(member: "text")
        }
        var story = Story(
            id: id,
            title: item.title.isEmpty ? nil : item.title,
            content: content.isEmpty ? nil : content,
            plainText: content.isEmpty ? nil : MarkdownText.plain(content),
            createdAt: created,
            updatedAt: moment("updated_time", of: item) ?? created,
            happenedAt: created,
            isRemoved: (item["deleted_time"].flatMap { Int64($0) } ?? 0) > 0
        )
        if let latitude = item["latitude"].flatMap({ Double($0) }),
            let longitude = item["longitude"].flatMap({ Double($0) }),
            latitude != 0 || longitude != 0, latitude.isFinite, longitude.isFinite
        {
            story.place = StoryPlace(latitude: latitude, longitude: longitude, horizontalAccuracy: 0)
        }
        let kept = ["author", "source_url", "is_todo", "todo_due", "todo_completed", "markup_language"]
        let other = kept.compactMap { key -> (String, JSONValue)? in
            guard let value = item[key], !["", "0"].contains(value), value.utf8.count <= JournalLimits.title,
                key != "markup_language" || value != "1"
            else { return nil }
            return (key, .string(value))
        }
        if !other.isEmpty { story.extra["joplin"] = .object(Dictionary(uniqueKeysWithValues: other)) }
        let tags = (index.tagsOfNote[source] ?? []).compactMap { index.tags[$0] }.filter { !$0.isEmpty }.map { [$0] }
        let notebook = names(of: item["parent_id"], index.notebooks)
        let media = resources.filter { shown.isFirst($0, in: id) }
        return ImportedStory(
            story: story,
            categories: .paths((notebook.isEmpty ? [] : [notebook]) + tags),
            media: media.compactMap { medium($0, index.resources[$0], story: story) }
        )
    }

    /// What the person set counts before what the program noted.
    private func moment(_ key: String, of item: JoplinItem) -> Int64? {
        [item["user_\(key)"], item[key]].compactMap { text in
            text.flatMap { ImportDate.milliseconds($0) ?? Int64($0).flatMap { $0 > 0 ? $0 : nil } }
        }.first
    }

    private func names(of notebook: String?, _ notebooks: [String: JoplinItem]) -> [String] {
        var (names, next) = ([String](), notebook)
        while let id = next, let item = notebooks[id], names.count < JournalLimits.depth {
            names.append(item.title.isEmpty ? "Notebook" : item.title)
            next = item["parent_id"]
        }
        return names.reversed()
    }

    /// `:/ID` as `media://ID`, and the ids in their order. Links to other notes are such links, too; they stay as they are.
    private func linked(_ text: String) -> (text: String, resources: [String]) {
        guard TextBytes.contains(":/", in: text) else { return (text, []) }
        var (result, rest, found) = ("", Substring(text), [String]())
        while let mark = rest.range(of: ":/") {
            let digits = rest[mark.upperBound...].prefix { $0.isHexDigit && $0.isASCII }
            result += rest[..<mark.lowerBound]
            let id = digits.lowercased()
            if id.count == 32, !folder.files(stem: id, in: "resources").filter({ $0.hasPrefix("resources/") }).isEmpty,
                let stable = StableID.of(id)
            {
                result += "media://\(stable)"
                if !found.contains(id) { found.append(id) }
            } else {
                result += ":/" + digits
            }
            rest = rest[mark.upperBound...].dropFirst(digits.count)
        }
        return (result + rest, found)
    }

    private func medium(_ id: String, _ item: JoplinItem?, story: Story) -> ImportedMedium? {
        guard let stable = StableID.of(id), let name = folder.files(stem: id, in: "resources").first else { return nil }
        return ImportedMedium(
            medium: NewMedium(
                id: stable,
                kind: MediumKind(ofFile: name),
                fileExtension: NewMedium.ending(of: name),
                source: folder.url(name),
                createdAt: item.flatMap { moment("created_time", of: $0) } ?? story.createdAt,
                storyId: story.id
            ),
            name: name
        )
    }
}
