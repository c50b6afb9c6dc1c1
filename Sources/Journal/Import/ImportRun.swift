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
        while !rest.isEmpty {
            try Task.checkCancellation()
            let waiting = rest
            let read = try await repository.work.run { ReadItem.some(of: waiting) }
            rest = rest.dropFirst(read.count)
            try await merge(read, &report)
        }
        return report
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

    /// Stories first, all in one transaction, then their media. A story that cannot be written is undone alone.
    private func merge(_ items: [ReadItem], _ report: inout ImportReport) async throws {
        let now = repository.now
        let outcomes = try await repository.change { writing in
            var known: [[String]: String] = [:]
            return try items.map { item -> Result<Outcome?, any Error> in
                guard case .success(.story(let story)) = item.result else { return item.result.map { _ in nil } }
                do {
                    return .success(try writing.whole { try Self.merge(story, writing, &known, now: now) })
                } catch let error where Self.isOfItem(error) {
                    // Categories that were made for it are gone with it.
                    known = [:]
                    return .failure(error)
                }
            }
        }
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
            for medium in item.media { try await merge(medium, &report) }
        }
    }

    private static func merge(
        _ imported: ImportedStory,
        _ writing: JournalWriting,
        _ known: inout [[String]: String],
        now: Int64
    ) throws -> Outcome {
        let here = try writing.reading.story(imported.story.id)
        if let here, here.updatedAt >= imported.story.updatedAt { return .unchanged }
        try writing.put(imported.story)
        switch imported.categories {
        case .relations(let relations): for relation in relations { try writing.put(relation) }
        case .paths(let paths):
            for path in paths {
                let category = try known[path] ?? writing.category(at: path, now: now)
                known[path] = category
                try writing.put(StoryCategory(storyId: imported.story.id, categoryId: category))
            }
        }
        return here == nil ? .added : .updated
    }

    private func merge(_ medium: ImportedMedium, _ report: inout ImportReport) async throws {
        do {
            let id = medium.medium.id
            guard try await repository.store.read({ try $0.medium(id) }) == nil else {
                report.unchangedMedia += 1
                return
            }
            _ = try await repository.keep(medium.medium, like: medium.record)
            report.addedMedia += 1
        } catch JournalError.unreadable {
            report.note(medium.name, ImportProblem.noFile)
        } catch let error where Self.isOfItem(error) {
            report.note(medium.name, error)
        }
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

extension JournalWriting {
    /// Finds a category by names from the top down, and makes what is missing.
    ///
    /// - Returns: Its id.
    func category(at path: [String], now: Int64) throws -> String {
        let tree = CategoryTree(try reading.categories())
        var parent: JournalCategory?
        for name in path.prefix(JournalLimits.depth) {
            let name = try JournalRepository.categoryName(name)
            // What was made a moment ago has nothing below it.
            if let found = tree.find(name, under: parent?.id) {
                parent = found
                continue
            }
            var category = JournalCategory(
                id: StableID.made(of: "category", parent?.id ?? "", name.lowercased()),
                name: name,
                level: (parent?.level ?? 0) + 1,
                createdAt: now
            )
            category.parentId = parent?.id
            if try reading.category(category.id) != nil { category.id = UUID.randomText() }
            try put(category)
            parent = category
        }
        guard let parent else { throw JournalError.blank }
        return parent.id
    }
}
