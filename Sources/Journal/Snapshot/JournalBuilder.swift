package import Foundation
package import Kernel

/// Builds the database of a new generation from records: settings, categories, stories, media and relations, in this order. Nothing but the
/// new generation's own folder is touched, so a build that fails is thrown away with it. For one thread, which waits for the disk.
package final class JournalBuilder {
    /// What is not taken over as it is.
    package struct Options: Hashable, Sendable {
        /// Stories count as not synchronised on the new device.
        package var resetSyncStatus = true

        package init(resetSyncStatus: Bool = true) { self.resetSyncStatus = resetSyncStatus }
    }

    /// How a record comes.
    private enum Form {
        case value(JSONValue)
        case text([UInt8])

        func record<Record: JournalRecord>() throws(JournalError) -> Record {
            switch self {
            case .value(let json): try Record(record: json)
            case .text(let text): try Record(recordText: text)
            }
        }
    }

    /// Records of one transaction, and bytes of texts in them.
    private static let (groupCount, groupBytes) = (2000, 8 << 20)
    /// Categories, which are held in memory until their tree is known.
    private static let categoryLimit = 200_000

    private let options: Options
    private let database: BuildDatabase
    private var kind = RecordKind.settings
    private var settings: [JournalSetting] = []
    private var categories: [JournalCategory] = []
    private var stories: [Story] = []
    private var media: [Medium] = []
    private var relations: [StoryCategory] = []
    private var waitingCount = 0
    private var waitingBytes = 0
    private var report = BuildReport()

    /// - Parameter generation: A folder without a database.
    package init(generation: URL, options: Options = Options()) throws {
        let url = generation.appending(path: JournalStore.fileName)
        guard !FileManager.default.fileExists(atPath: url.path) else { throw JournalError.folderInUse(path: url.path) }
        database = try BuildDatabase(url)
        self.options = options
    }

    /// Takes the next record.
    ///
    /// - Throws: ``JournalError``: for a record that cannot be read, that comes out of order, or that is there twice. Records wait for others to be
    ///   written with, so what is wrong with one may be said at a later one, or by ``finish(media:)``.
    package func add(_ kind: RecordKind, _ json: JSONValue) throws { try add(kind, .value(json)) }

    /// Takes the next record as its text.
    ///
    /// - Throws: As ``add(_:_:)``; ``JournalError/badRecord(_:member:)`` of ``RecordReader/textMember`` for a text that is no JSON object.
    package func add(_ kind: RecordKind, text: [UInt8]) throws { try add(kind, .text(text)) }

    private func add(_ kind: RecordKind, _ form: Form) throws {
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
            let setting: JournalSetting = try form.record()
            guard !setting.isDeviceBound else { return report.skippedSettings += 1 }
            settings.append(setting)
            waitingBytes += setting.value.utf8.count
        case .categories:
            guard categories.count < Self.categoryLimit else { throw JournalError.badRecord(kind, member: "count") }
            // All of them wait: a parent may come behind what is inside of it.
            return categories.append(try form.record())
        case .stories:
            var story: Story = try form.record()
            if options.resetSyncStatus { story.syncStatus = Story.unsynced }
            if story.plainText == nil { story.plainText = story.content.map { MarkdownText.plain($0) } }
            waitingBytes += (story.content?.utf8.count ?? 0) + (story.plainText?.utf8.count ?? 0)
            stories.append(story)
        case .media: media.append(try form.record())
        case .relations: relations.append(try form.record())
        }
        waitingCount += 1
        if waitingCount >= Self.groupCount || waitingBytes >= Self.groupBytes { try flush() }
    }

    /// Looks for the files of all media, checks the database, and closes it: its one file holds everything, and is on the disk.
    ///
    /// - Parameter vault: The generation's folder `Media`.
    /// - Throws: ``JournalError/danglingRecord(_:)`` for a relation that names something that is not there, ``JournalError/badRecord(_:member:)`` for
    ///   a medium without a path whose file's name several files have, and what ``add(_:_:)`` throws.
    package func finish(media vault: MediaVault) throws -> BuildReport {
        try flush()
        report.detachedMedia = try database.detachMedia()
        try find(MediaIndex(vault.files()))
        try database.leaveWords()
        report.counts = try database.finish()
        return report
    }

    private func flush() throws {
        if !categories.isEmpty {
            let levelled = try CategoryTree.levelled(categories)
            report.correctedLevels = levelled.changed
            try database.insert(levelled.categories.sorted { ($0.level, $0.id) < ($1.level, $1.id) })
        }
        if !settings.isEmpty { try database.insert(settings) }
        if !stories.isEmpty { try database.insert(stories) }
        if !media.isEmpty { try database.insert(media) }
        if !relations.isEmpty { report.droppedRelations += try database.insert(relations) }
        categories = []
        settings.removeAll(keepingCapacity: true)
        stories.removeAll(keepingCapacity: true)
        media.removeAll(keepingCapacity: true)
        relations.removeAll(keepingCapacity: true)
        (waitingCount, waitingBytes) = (0, 0)
    }

    /// Gives every medium the place of its file, and notes which have none and which files have no record.
    private func find(_ index: MediaIndex) throws {
        var named = Set<MediaPath>()
        try database.write { database in
            var placed: [Medium] = []
            try JournalReading(database).forEach(.media) { record in
                guard let known = record as? Medium else { return }
                var medium = known
                medium.path = try index.place(of: known.path, or: known.fileName)
                if let name = known.thumbnailFileName {
                    medium.thumbnailPath = try index.place(of: known.thumbnailPath, or: name)
                }
                medium.broken = Self.state(of: medium, index)
                named.formUnion([medium.path, medium.thumbnailPath].compactMap(\.self))
                if let reason = medium.broken { note(BrokenMedium(medium, medium.fileName, reason)) }
                if let name = medium.thumbnailFileName, medium.thumbnailPath == nil {
                    note(BrokenMedium(medium, name, .fileNotFound))
                }
                // Most are where their records say, and are as they were.
                if medium != known { placed.append(medium) }
            }
            let writing = JournalWriting(database)
            for medium in placed { try writing.put(medium) }
        }
        for path in index.paths where !named.contains(path) {
            report.orphanCount += 1
            if report.orphans.count < JournalLimits.problems { report.orphans.append(path) }
        }
    }

    private static func state(of medium: Medium, _ index: MediaIndex) -> BrokenReason? {
        guard let path = medium.path, let size = index.size(of: path) else { return .fileNotFound }
        if size == 0 { return .empty }
        // Programs that do not know a size write 0.
        return medium.fileSize > 0 && medium.fileSize != size ? .sizeMismatch : nil
    }

    private func note(_ broken: BrokenMedium) {
        report.brokenCount += 1
        if report.broken.count < JournalLimits.problems { report.broken.append(broken) }
    }
}
