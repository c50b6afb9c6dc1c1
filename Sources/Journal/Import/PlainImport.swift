import Foundation
import Kernel

/// Reads an export of this program again: records as they were, media from their files.
struct PlainImport: Sendable {
    let settings: [JournalSetting]
    /// Parents before what is inside of them.
    let categories: [JournalCategory]
    /// Records that could not be read.
    let problems: [(item: String, error: any Error)]
    private let folder: ImportFolder
    private let stories: [Story]
    private let media: [(record: Medium, file: String?)]
    private let relations: [String: [StoryCategory]]

    static func isHere(_ folder: ImportFolder) -> Bool {
        guard folder.file(PlainForm.fileName) != nil,
            let handle = FileHandle(forReadingAtPath: folder.url(PlainForm.fileName).path),
            let start = try? handle.read(upToCount: 4096)
        else { return false }
        return String(decoding: start, as: UTF8.self).contains("\"\(PlainForm.name)\"")
    }

    /// - Throws: ``JournalError/unknownFormat(path:)``, ``JournalError/needsUpdate(theirs:ours:)``, ``JournalError/schemaUnclear``.
    init(_ folder: ImportFolder) throws {
        let json: JSONValue
        do { json = try JSONValue(parsing: try folder.bytes(PlainForm.fileName)) } catch is DecodingError {
            throw JournalError.unknownFormat(path: PlainForm.fileName)
        }
        guard json["format"] == .string(PlainForm.name), let version = json["version"]?.integerValue else {
            throw JournalError.unknownFormat(path: PlainForm.fileName)
        }
        guard version <= PlainForm.version else {
            throw JournalError.needsUpdate(theirs: version, ours: PlainForm.version)
        }
        _ = try JournalSchema.agreed([json["schemaVersion"] ?? .null])
        var problems: [(item: String, error: any Error)] = []
        func read<Record>(_ kind: RecordKind, _ make: (JSONValue) throws -> Record) -> [Record] {
            (json[kind.rawValue]?.arrayValue ?? []).enumerated().compactMap { index, record in
                do { return try make(record) } catch {
                    let id = record["id"]?.stringValue ?? record["key"]?.stringValue ?? "\(index + 1)"
                    problems.append(("\(kind.rawValue) \(id)", error))
                    return nil
                }
            }
        }
        settings = read(.settings) { try JournalSetting(record: $0) }
        let categories = read(.categories) { try JournalCategory(record: $0) }
        self.categories = try CategoryTree.levelled(categories).categories.sorted {
            ($0.level, $0.id) < ($1.level, $1.id)
        }
        stories = read(.stories) { try Story(record: $0) }
        media = read(.media) { record in
            var medium = try Medium(record: record)
            medium.extra["file"] = nil
            return (medium, record["file"]?.stringValue)
        }
        let known = Set(categories.map(\.id))
        let relations = read(.relations) { record in
            let relation = try StoryCategory(record: record)
            guard known.contains(relation.categoryId) else { throw JournalError.danglingRecord(.relations) }
            return relation
        }
        self.relations = Dictionary(grouping: relations, by: \.storyId)
        self.folder = folder
        self.problems = problems
    }

    func steps() -> [ImportStep] {
        let shown = Dictionary(grouping: media) { $0.record.storyId }
        let known = Set(stories.map(\.id))
        let told = stories.map { story in
            ImportStep(name: story.id) {
                .story(
                    ImportedStory(
                        story: story,
                        categories: .relations(relations[story.id] ?? []),
                        media: (shown[story.id] ?? []).map(imported)
                    )
                )
            }
        }
        let alone = media.filter { medium in medium.record.storyId.map { !known.contains($0) } ?? true }
        return told
            + alone.map { one in
                ImportStep(name: one.record.id) {
                    var medium = imported(one)
                    medium.medium.storyId = nil
                    return .medium(medium)
                }
            }
    }

    private func imported(_ one: (record: Medium, file: String?)) -> ImportedMedium {
        // A file outside of the export is none.
        let file = one.file.flatMap { folder.file($0) } ?? one.file.map(ImportFolder.last) ?? one.record.fileName
        return ImportedMedium(
            medium: NewMedium(
                id: one.record.id,
                kind: one.record.kind,
                fileExtension: NewMedium.ending(of: one.record.fileName),
                source: folder.url(file),
                width: one.record.width,
                height: one.record.height,
                duration: one.record.duration,
                createdAt: one.record.createdAt,
                storyId: one.record.storyId
            ),
            name: file,
            record: one.record
        )
    }
}
