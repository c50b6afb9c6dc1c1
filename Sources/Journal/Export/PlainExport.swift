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
            report.stories = try Self.writeRecords(of: snapshot, media, to: folder)
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

    /// One record a line, so that tools for lines can look at it, and each story as Markdown, of one reading.
    ///
    /// - Returns: How many stories are there as Markdown.
    private static func writeRecords(
        of snapshot: JournalSnapshot,
        _ media: [String: String],
        to folder: URL
    ) throws -> Int {
        var output = try ExportFile(folder.appending(path: PlainForm.fileName))
        var markdown = try MarkdownFiles(of: snapshot, media, in: folder.path)
        try output.write(
            "{\"format\":\"\(PlainForm.name)\",\"version\":\(PlainForm.version),\"schemaVersion\":\(JournalSchema.version)"
        )
        for kind in RecordKind.allCases {
            try output.write(",\n\"\(kind.rawValue)\":[")
            var isFirst = true
            try snapshot.forEachModel(kind) { record in
                try output.write(isFirst ? "\n" : ",\n")
                isFirst = false
                if let medium = record as? Medium {
                    try output.write(PlainForm.record(of: medium, file: media[medium.id]).canonicalText)
                } else {
                    try output.write(record)
                }
                if let story = record as? Story, !story.isRemoved { try markdown.write(story) }
            }
            try output.write("]")
        }
        try output.write("}\n")
        try output.finish()
        return markdown.count
    }
}
