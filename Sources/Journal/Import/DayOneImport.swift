import Foundation
import Kernel

/// Reads an export of Day One: JSON files of journals, each with its entries, and folders of media whose files are named by their MD5. Members
/// come and go between its versions, so only an entry's text and a date are needed.
struct DayOneImport {
    let folder: ImportFolder

    private static let kinds: [(member: String, folder: String, kind: MediumKind)] = [
        ("photos", "photos", .image), ("videos", "videos", .video), ("audios", "audios", .audio),
        ("pdfAttachments", "pdfs", .file),
    ]

    /// The files of journals in a folder, by a look at how they begin.
    static func journals(in folder: ImportFolder) -> [String] {
        folder.paths.filter { path in
            guard path.lowercased().hasSuffix(".json"), path.split(separator: "/").count <= 2,
                let handle = FileHandle(forReadingAtPath: folder.url(path).path),
                let start = try? handle.read(upToCount: 64 << 10)
            else { return false }
            return String(decoding: start, as: UTF8.self).contains("\"entries\"")
        }
    }

    /// - Throws: ``JournalError`` where no journal in the folder can be read; one of several that cannot is a step that throws.
    func steps() throws -> [ImportStep] {
        let journals = Self.journals(in: folder)
        var steps: [ImportStep] = []
        for path in journals {
            do {
                let json = try JSONValue(parsing: try folder.bytes(path))
                guard let entries = json["entries"]?.arrayValue else { throw JournalError.unknownFormat(path: path) }
                let journal = ImportFolder.stem(path)
                for (index, entry) in entries.enumerated() {
                    let name = entry["uuid"]?.stringValue ?? "\(journal), entry \(index + 1)"
                    steps.append(ImportStep(name: name) { .story(try story(of: entry, journal: journal)) })
                }
            } catch  where journals.count > 1 {
                steps.append(ImportStep(name: path) { throw error })
            } catch is DecodingError {
                throw JournalError.unknownFormat(path: path)
            }
        }
        return steps
    }

    private func story(of entry: JSONValue, journal: String) throws -> ImportedStory {
        guard case .object = entry else { throw ImportProblem.notReadable(member: "entry") }
        let written = try Self.text(of: entry)
        let date = try moment("creationDate", of: entry) ?? moment("modifiedDate", of: entry)
        guard let date else { throw ImportProblem.noDate }
        let uuid = entry["uuid"]?.stringValue
        guard uuid == nil || uuid?.isEmpty == false else { throw ImportProblem.notReadable(member: "uuid") }
        let id = try uuid.map { text in
            guard let id = StableID.of(text) else { throw ImportProblem.notReadable(member: "uuid") }
            return id
        }
        var (text, title) = (DayOneText.linked(written), String?.none)
        if let heading = DayOneText.heading(of: text) { (title, text) = heading }
        guard text.utf8.count <= JournalLimits.content, (title?.utf8.count ?? 0) <= JournalLimits.title else {
            throw ImportProblem.notReadable(member: "text")
        }
        var story = Story(
            id: id ?? StableID.made(of: "dayOne", journal, "\(date)", written),
            title: title,
            content: text.isEmpty ? nil : text,
            plainText: text.isEmpty ? nil : MarkdownText.plain(text),
            createdAt: date,
            updatedAt: try moment("modifiedDate", of: entry) ?? date,
            happenedAt: date
        )
        addPlace(of: entry, to: &story)
        // What this program has no member for stays with the story, and goes along when it is exported.
        let kept = ["starred", "isPinned", "isAllDay", "timeZone", "weather", "userActivity", "music"]
        let other = kept.compactMap { key in entry[key].map { (key, $0) } }
        if !other.isEmpty { story.extra["dayOne"] = .object(Dictionary(uniqueKeysWithValues: other)) }
        let media = Self.kinds.flatMap { kind in
            (entry[kind.member]?.arrayValue ?? []).map { (kind, $0) }
        }
        return ImportedStory(
            story: story,
            categories: .paths([[journal]] + tags(of: entry).map { [$0] }),
            media: media.compactMap { medium(of: $0.1, $0.0.kind, in: $0.0.folder, story: story) }
        )
    }

    /// The text, or that of the rich text, which older and newer versions write beside it or alone.
    private static func text(of entry: JSONValue) throws -> String {
        switch entry["text"] {
        case .string(let text): return TextBytes.unixLines(text)
        case nil, .null:
            guard let rich = entry["richText"] else { return "" }
            guard let text = DayOneText.plain(ofRich: rich) else { throw ImportProblem.noText }
            return text
        default: throw ImportProblem.noText
        }
    }

    private func moment(_ member: String, of entry: JSONValue) throws -> Int64? {
        switch entry[member] {
        case nil, .null: return nil
        case .string(let text):
            guard let moment = ImportDate.milliseconds(text) else { throw ImportProblem.notReadable(member: member) }
            return moment
        default: throw ImportProblem.notReadable(member: member)
        }
    }

    private func tags(of entry: JSONValue) -> [String] {
        (entry["tags"]?.arrayValue ?? []).compactMap(\.stringValue).filter {
            !$0.isEmpty && $0.utf8.count <= JournalLimits.name
        }
    }

    private func addPlace(of entry: JSONValue, to story: inout Story) {
        guard let location = entry["location"] else { return }
        func text(_ member: String) -> String? {
            location[member]?.stringValue.flatMap { $0.isEmpty || $0.utf8.count > JournalLimits.name ? nil : $0 }
        }
        story.locationName = text("placeName")
        story.locationCity = text("localityName")
        let address = ["placeName", "localityName", "administrativeArea", "country"].compactMap(text)
        story.locationAddress = address.isEmpty ? nil : address.joined(separator: ", ")
        guard let latitude = Self.number(location["latitude"]), let longitude = Self.number(location["longitude"])
        else { return }
        // Day One measures no accuracy that it exports, and writes no location where it has none.
        story.place = StoryPlace(latitude: latitude, longitude: longitude, horizontalAccuracy: 0)
    }

    private static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    private func medium(of json: JSONValue, _ kind: MediumKind, in directory: String, story: Story) -> ImportedMedium? {
        let (identifier, sum) = (json["identifier"]?.stringValue, json["md5"]?.stringValue)
        guard let id = (identifier ?? sum).flatMap({ StableID.of($0) }) else { return nil }
        let type = json["type"]?.stringValue ?? json["format"]?.stringValue ?? ""
        // Which ending a file has depends on the version that exported it: its name is what counts.
        let found = [sum, identifier].compactMap(\.self).flatMap { folder.files(stem: $0, in: directory) }.first
        let name = found ?? "\(directory)/\(sum ?? identifier ?? "")\(type.isEmpty ? "" : ".\(type)")"
        return ImportedMedium(
            medium: NewMedium(
                id: id,
                kind: kind,
                fileExtension: NewMedium.ending(of: name),
                source: folder.url(name),
                width: max(0, json["width"]?.integerValue ?? 0),
                height: max(0, json["height"]?.integerValue ?? 0),
                duration: max(0, Self.number(json["duration"]) ?? 0),
                createdAt: json["date"]?.stringValue.flatMap { ImportDate.milliseconds($0) } ?? story.happenedAt,
                storyId: story.id
            ),
            name: name
        )
    }
}
