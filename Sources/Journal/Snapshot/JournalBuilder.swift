package import Foundation
import GRDB
package import Kernel
import Storage

/// Builds the database of a new generation from records: settings, categories, stories, media and relations, in this order. Nothing but the
/// new generation's own folder is touched, so a build that fails is thrown away with it. For one thread, which waits for the disk.
package final class JournalBuilder {
    /// What is not taken over as it is.
    package struct Options: Hashable, Sendable {
        /// Stories count as not synchronised on the new device.
        package var resetSyncStatus = true

        package init(resetSyncStatus: Bool = true) { self.resetSyncStatus = resetSyncStatus }
    }

    /// Records of one transaction.
    private static let group = 2000
    /// Categories, which are held in memory until their tree is known.
    private static let categoryLimit = 200_000

    private let options: Options
    private let store: JournalStore
    private var kind = RecordKind.settings
    private var waiting: [any JournalRecord] = []
    private var categories: [JournalCategory] = []
    private var report = BuildReport()

    /// - Parameter generation: A folder without a database.
    package init(generation: URL, options: Options = Options()) throws {
        let url = generation.appending(path: JournalStore.fileName)
        guard !FileManager.default.fileExists(atPath: url.path) else { throw JournalError.folderInUse(path: url.path) }
        store = try JournalStore(generation: generation)
        self.options = options
    }

    /// Takes the next record.
    ///
    /// - Throws: ``JournalError``: for a record that cannot be read, that comes out of order, that is there twice, or that names something
    ///   that is not there.
    package func add(_ kind: RecordKind, _ json: JSONValue) throws {
        if kind != self.kind {
            let order = RecordKind.allCases
            guard let next = order.firstIndex(of: kind), let now = order.firstIndex(of: self.kind), next > now else {
                throw JournalError.badRecord(kind, member: "order")
            }
            try flush()
            self.kind = kind
        }
        switch kind {
        case .settings:
            let setting = try JournalSetting(record: json)
            guard !setting.isDeviceBound else { return report.skippedSettings += 1 }
            waiting.append(setting)
        case .categories:
            guard categories.count < Self.categoryLimit else { throw JournalError.badRecord(kind, member: "count") }
            return categories.append(try JournalCategory(record: json))
        case .stories:
            var story = try Story(record: json)
            if options.resetSyncStatus { story.syncStatus = Story.unsynced }
            if story.plainText == nil { story.plainText = story.content.map { MarkdownText.plain($0) } }
            waiting.append(story)
        case .media: waiting.append(try Medium(record: json))
        case .relations: waiting.append(try StoryCategory(record: json))
        }
        if waiting.count >= Self.group { try flush() }
    }

    /// Looks for the files of all media, checks the database, and closes it: its one file holds everything.
    ///
    /// - Parameter media: The generation's folder `Media`.
    /// - Throws: Also ``JournalError/badRecord(_:member:)`` for a medium without a path whose file's name several files have.
    package func finish(media: MediaVault) throws -> BuildReport {
        try flush()
        try find(MediaIndex(try media.paths()), in: media)
        try store.writeHere { writing in
            report.counts = try writing.reading.counts()
            let broken = try Row.fetchOne(writing.database, sql: "PRAGMA foreign_key_check")
            let answer = try String.fetchOne(writing.database, sql: "PRAGMA integrity_check")
            guard broken == nil, answer == "ok" else { throw StorageError.damaged }
        }
        try store.close()
        return report
    }

    private func flush() throws {
        if !categories.isEmpty {
            let levelled = try CategoryTree.levelled(categories)
            report.correctedLevels = levelled.changed
            waiting += levelled.categories.sorted { ($0.level, $0.id) < ($1.level, $1.id) }
            categories = []
        }
        guard !waiting.isEmpty else { return }
        let records = waiting
        waiting = []
        try store.writeHere { writing in for record in records { try put(record, writing) } }
    }

    private func put(_ record: any JournalRecord, _ writing: JournalWriting) throws {
        let reading = writing.reading
        switch record {
        case let setting as JournalSetting:
            guard try reading.setting(setting.key) == nil else { throw JournalError.duplicateRecord(.settings) }
            try writing.put(setting)
        case let category as JournalCategory:
            guard try reading.category(category.id) == nil else { throw JournalError.duplicateRecord(.categories) }
            try writing.insert(category)
        case let story as Story:
            guard try !reading.hasStory(story.id) else { throw JournalError.duplicateRecord(.stories) }
            try writing.put(story)
        case var medium as Medium:
            guard try reading.medium(medium.id) == nil else { throw JournalError.duplicateRecord(.media) }
            if let story = medium.storyId, try !reading.hasStory(story) {
                medium.storyId = nil
                report.detachedMedia += 1
            }
            try writing.put(medium)
        case let relation as StoryCategory:
            guard try reading.hasStory(relation.storyId), try reading.category(relation.categoryId) != nil else {
                throw JournalError.danglingRecord(.relations)
            }
            if try !writing.put(relation) { report.droppedRelations += 1 }
        default: throw JournalError.badRecord(kind, member: "kind")
        }
    }

    /// Gives every medium the place of its file, and notes which have none and which files have no record.
    private func find(_ index: MediaIndex, in media: MediaVault) throws {
        var (named, placed) = (Set<MediaPath>(), [Medium]())
        try store.writeHere { writing in
            try writing.reading.forEach(.media) { record in
                guard var medium = record as? Medium else { return }
                medium.path = try index.place(of: medium.path, or: medium.fileName)
                if let name = medium.thumbnailFileName {
                    medium.thumbnailPath = try index.place(of: medium.thumbnailPath, or: name)
                }
                medium.broken = state(of: medium, in: media)
                named.formUnion([medium.path, medium.thumbnailPath].compactMap(\.self))
                placed.append(medium)
            }
            for medium in placed { try writing.put(medium) }
        }
        for medium in placed {
            if let reason = medium.broken { note(BrokenMedium(medium, medium.fileName, reason)) }
            if let name = medium.thumbnailFileName, medium.thumbnailPath == nil {
                note(BrokenMedium(medium, name, .fileNotFound))
            }
        }
        for path in index.paths where !named.contains(path) {
            report.orphanCount += 1
            if report.orphans.count < JournalLimits.problems { report.orphans.append(path) }
        }
    }

    private func state(of medium: Medium, in media: MediaVault) -> BrokenReason? {
        guard let path = medium.path, let size = media.size(of: path) else { return .fileNotFound }
        if size == 0 { return .empty }
        // Programs that do not know a size write 0.
        return medium.fileSize > 0 && medium.fileSize != size ? .sizeMismatch : nil
    }

    private func note(_ broken: BrokenMedium) {
        report.brokenCount += 1
        if report.broken.count < JournalLimits.problems { report.broken.append(broken) }
    }
}
