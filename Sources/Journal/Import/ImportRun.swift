import Foundation
import Kernel

/// Brings what was exported elsewhere into a journal. Everything is merged by ids: an import that is done again changes nothing, and what was
/// written here later stays. One item that cannot be read is reported, and the others come in.
struct ImportRun: Sendable {
    let repository: JournalRepository
    /// Where archives are unpacked.
    let folder: URL

    /// - Parameters:
    ///   - path: A folder, a zip or a JEX on this machine.
    ///   - format: Nil: as it looks.
    /// - Throws: ``JournalError``, `ArchiveError`: where nothing could be read at all.
    func run(_ path: String, as format: ImportFormat?) async throws -> ImportReport {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw JournalError.unreadable(path: path)
        }
        guard !isFolder.boolValue else { return try await run(URL(filePath: path), named: path, as: format) }
        let (work, parent) = (repository.work, folder)
        let archive = try await work.run { try UnpackedArchive(path, in: parent) }
        let result: Result<ImportReport, any Error>
        do { result = .success(try await run(archive.folder, named: path, as: format)) } catch {
            result = .failure(error)
        }
        try await work.finish { archive.remove() }
        return try result.get()
    }

    private func run(_ url: URL, named path: String, as wanted: ImportFormat?) async throws -> ImportReport {
        let (format, steps, plain) = try await repository.work.run {
            let folder = try ImportFolder(url)
            guard let format = wanted ?? Self.format(of: folder) else { throw JournalError.unknownFormat(path: path) }
            return try Self.read(format, folder)
        }
        var report = ImportReport(format: format)
        if let plain { try await merge(plain, &report) }
        var rest = steps[...]
        var items = try await read(rest)
        while !items.isEmpty {
            try Task.checkCancellation()
            rest = rest.dropFirst(items.count)
            // The next ones are read while these are written.
            let waiting = rest
            async let next = read(waiting)
            try await merge(items, &report)
            items = try await next
        }
        // Words of all stories at once: each story for itself would be a part of the index that has to be merged with the others.
        try await repository.indexWords()
        return report
    }

    private func read(_ steps: ArraySlice<ImportStep>) async throws -> [ReadItem] {
        try await repository.work.run { ReadItem.some(of: steps) }
    }

    static func format(of folder: ImportFolder) -> ImportFormat? {
        if PlainImport.isHere(folder) { return .tandem }
        if JoplinImport.isHere(folder) { return .joplin }
        if !DayOneImport.journals(in: folder).isEmpty { return .dayOne }
        return MarkdownImport.isHere(folder) ? .markdown : nil
    }

    private static func read(
        _ format: ImportFormat,
        _ folder: ImportFolder
    ) throws -> (ImportFormat, [ImportStep], PlainImport?) {
        switch format {
        case .tandem:
            let plain = try PlainImport(folder)
            return (format, plain.steps(), plain)
        case .dayOne: return (format, try DayOneImport(folder: folder).steps(), nil)
        case .joplin: return (format, JoplinImport(folder: folder).steps(), nil)
        case .markdown: return (format, MarkdownImport(folder).steps(), nil)
        }
    }

    /// Whether it is one item's problem. A disk that is full, or an import that was ended, is everybody's.
    private static func isOfItem(_ error: any Error) -> Bool {
        switch error {
        case is ImportProblem: true
        case JournalError.badRecord, JournalError.unreadable, JournalError.fileTooLarge, JournalError.tooLong,
            JournalError.unknownFormat, JournalError.mediumTooLarge, JournalError.unknownCategory,
            JournalError.categoryCycle:
            true
        case is DecodingError: true
        default: false
        }
    }

    // MARK: One item

    private enum Outcome {
        case added, updated, unchanged
    }

    /// Stories first, all in one transaction, then their media.
    private func merge(_ items: [ReadItem], _ report: inout ImportReport) async throws {
        let now = repository.now
        let outcomes = try await repository.change { writing in
            var categories = try ImportedCategories(writing, now: now)
            return try items.map { item -> Result<Outcome?, any Error> in
                guard case .success(.story(let story)) = item.result else { return item.result.map { _ in nil } }
                do { return .success(try Self.merge(story, writing, &categories)) } catch let error
                    where Self.isOfItem(error)
                { return .failure(error) }
            }
        }
        var media: [ImportedMedium] = []
        for (item, outcome) in zip(items, outcomes) {
            switch outcome {
            case .failure(let error):
                guard Self.isOfItem(error) else { throw error }
                report.note(item.name, error)
                continue
            case .success(.added): report.added += 1
            case .success(.updated): report.updated += 1
            case .success(.unchanged): report.unchanged += 1
            case .success(nil): break
            }
            // Also of a story that was here: an import that was interrupted goes on.
            media += item.media
        }
        try await merge(media, &report)
    }

    /// What cannot be taken is said before anything of the story is written, so that nothing has to be undone.
    private static func merge(
        _ imported: ImportedStory,
        _ writing: JournalWriting,
        _ categories: inout ImportedCategories
    ) throws -> Outcome {
        let here = try writing.reading.updatedAt(ofStory: imported.story.id)
        if let here, here >= imported.story.updatedAt { return .unchanged }
        var relations: [StoryCategory]
        switch imported.categories {
        case .relations(let known): relations = known
        case .paths(let paths):
            let names = try paths.map { try ImportedCategories.names($0) }
            relations = []
            for path in names where !path.isEmpty {
                let category = try categories.find(path, writing)
                relations.append(StoryCategory(storyId: imported.story.id, categoryId: category))
            }
        }
        try writing.put(imported.story, indexing: .later)
        for relation in relations { try writing.put(relation) }
        return here == nil ? .added : .updated
    }

    /// Media whose files are encrypted, and wait for the disk and for their records together.
    private static let (mediaCount, mediaBytes) = (64, Int64(256 << 20))

    private func merge(_ media: [ImportedMedium], _ report: inout ImportReport) async throws {
        guard !media.isEmpty else { return }
        let ids = media.map(\.medium.id)
        var known = try await repository.store.read { reading in Set(try ids.filter { try reading.hasMedium($0) }) }
        let vault = try repository.vault
        var (waiting, bytes) = ([Medium](), Int64(0))
        do {
            for medium in media {
                try Task.checkCancellation()
                guard known.insert(medium.medium.id).inserted else {
                    report.unchangedMedia += 1
                    continue
                }
                do {
                    let kept = try await repository.encrypt(medium.medium, like: medium.record)
                    waiting.append(kept)
                    bytes += kept.fileSize
                } catch JournalError.unreadable {
                    known.remove(medium.medium.id)
                    report.note(medium.name, ImportProblem.noFile)
                } catch let error where Self.isOfItem(error) {
                    known.remove(medium.medium.id)
                    report.note(medium.name, error)
                }
                guard waiting.count >= Self.mediaCount || bytes >= Self.mediaBytes else { continue }
                try await repository.put(waiting)
                report.addedMedia += waiting.count
                (waiting, bytes) = ([], 0)
            }
        } catch {
            // Files without records: no other attempt would find out that they are there.
            try await repository.remove(waiting, from: vault)
            throw error
        }
        try await repository.put(waiting)
        report.addedMedia += waiting.count
    }

    /// The settings and categories of an export of this program.
    private func merge(_ plain: PlainImport, _ report: inout ImportReport) async throws {
        for problem in plain.problems { report.note(problem.item, problem.error) }
        try await repository.change { writing in
            for setting in plain.settings {
                let known = try writing.reading.setting(setting.key)
                if known.map({ $0.updatedAt < setting.updatedAt }) ?? true { try writing.put(setting) }
            }
            for category in plain.categories where try writing.reading.category(category.id) == nil {
                try writing.put(category)
            }
        }
    }
}
