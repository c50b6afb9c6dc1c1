import Foundation
import Kernel

/// Writes a journal into a folder for people and for other programs: nothing in it is encrypted. Source of the form: `docs/journal.md`, "Plain export".
struct PlainExport: Sendable {
    /// What was written, and which media could not be.
    struct Report: Hashable, Sendable {
        var folder: String
        var stories = 0
        var media = 0
        var broken: [BrokenMedium] = []
    }

    let repository: JournalRepository

    /// - Parameter path: A folder on this machine; made where it is missing.
    /// - Throws: ``JournalError/folderInUse(_:)`` for one that holds something, ``JournalError/notWritten(path:)``.
    func write(to path: String) async throws -> Report {
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        return try await repository.work.run { [repository] in
            try Self.make(folder)
            let snapshot = try JournalSnapshot(repository)
            var report = Report(folder: folder.path)
            let media = try Self.writeMedia(of: snapshot, repository.vault, to: folder, &report)
            try Self.writeRecords(of: snapshot, media, to: folder)
            try Self.writeStories(of: snapshot, media, to: folder, &report)
            return report
        }
    }

    private static func make(_ folder: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) {
            guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == true else {
                throw JournalError.folderInUse(path: folder.path)
            }
        }
        try NewFile.makeFolder(folder)
    }

    /// - Returns: The files of media by ids.
    private static func writeMedia(
        of snapshot: JournalSnapshot,
        _ vault: MediaVault,
        to folder: URL,
        _ report: inout Report
    ) throws -> [String: String] {
        var all: [Medium] = []
        try snapshot.forEachModel(.media) { if let medium = $0 as? Medium { all.append(medium) } }
        var files: [String: String] = [:]
        for medium in all {
            guard let path = medium.path, let file = PlainForm.file(of: medium) else {
                report.broken.append(BrokenMedium(medium, medium.fileName, medium.broken ?? .fileNotFound))
                continue
            }
            let target = folder.appending(path: file)
            try NewFile.makeFolder(target.deletingLastPathComponent())
            do {
                try vault.copy(path, keyId: medium.keyId, to: target)
                files[medium.id] = file
                report.media += 1
            } catch JournalError.mediumMissing {
                report.broken.append(BrokenMedium(medium, medium.fileName, .fileNotFound))
            } catch let error as JournalError where [.mediumDamaged, .mediumUnknown].contains(error) {
                report.broken.append(BrokenMedium(medium, medium.fileName, .readError))
            }
        }
        return files
    }

    /// One record a line, so that tools for lines can look at it.
    private static func writeRecords(of snapshot: JournalSnapshot, _ media: [String: String], to folder: URL) throws {
        let url = folder.appending(path: PlainForm.fileName)
        let handle = try NewFile.open(url)
        func put(_ text: String) throws {
            do { try handle.write(contentsOf: Data(text.utf8)) } catch { throw JournalError.notWritten(path: url.path) }
        }
        try put(
            "{\"format\":\"\(PlainForm.name)\",\"version\":\(PlainForm.version),\"schemaVersion\":\(JournalSchema.version)"
        )
        for kind in RecordKind.allCases {
            try put(",\n\"\(kind.rawValue)\":[")
            var isFirst = true
            try snapshot.forEachModel(kind) { record in
                let medium = record as? Medium
                let json = medium.map { PlainForm.record(of: $0, file: media[$0.id]) } ?? record.record
                try put((isFirst ? "\n" : ",\n") + json.canonicalText)
                isFirst = false
            }
            try put("]")
        }
        try put("}\n")
        try handle.close()
    }

    private static func writeStories(
        of snapshot: JournalSnapshot,
        _ media: [String: String],
        to folder: URL,
        _ report: inout Report
    ) throws {
        var categories: [JournalCategory] = []
        try snapshot.forEachModel(.categories) {
            if let category = $0 as? JournalCategory { categories.append(category) }
        }
        let tree = CategoryTree(categories)
        var byStory: [String: [String]] = [:]
        try snapshot.forEachModel(.relations) { record in
            guard let relation = record as? StoryCategory else { return }
            byStory[relation.storyId, default: []].append(tree.path(of: relation.categoryId).joined(separator: "/"))
        }
        var shown: [String: [(id: String, file: String)]] = [:]
        try snapshot.forEachModel(.media) { record in
            guard let medium = record as? Medium, let story = medium.storyId, let file = media[medium.id] else {
                return
            }
            shown[story, default: []].append((medium.id, file))
        }
        var stories = 0
        try snapshot.forEachModel(.stories) { record in
            guard let story = record as? Story, !story.isRemoved else { return }
            let text = MarkdownStory(
                story: story,
                categories: (byStory[story.id] ?? []).sorted(),
                media: shown[story.id] ?? [],
                files: media
            )
            let target = folder.appending(path: text.path)
            try NewFile.makeFolder(target.deletingLastPathComponent())
            let handle = try NewFile.open(target)
            do {
                try handle.write(contentsOf: Data(text.text.utf8))
                try handle.close()
            } catch {
                throw JournalError.notWritten(path: target.path)
            }
            stories += 1
        }
        report.stories = stories
    }
}
