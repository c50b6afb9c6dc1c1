import Foundation
package import Kernel
import Synchronization

/// A journal: everything that commands, pages, imports and exports ask of it.
package final class JournalRepository: Sendable {
    /// What is open of a generation.
    private struct Opened {
        let store: JournalStore
        let vault: MediaVault
    }

    /// Nil while the journal rests.
    private let opened: Mutex<Opened?>
    let holds = MediaHolds()
    let pictures: any JournalPictures
    let time: any TimeSource
    /// Calls that wait for the disk.
    let work: BlockingWork
    /// Tells after each change.
    package let changed = Broadcaster<Void>()

    /// - Parameters:
    ///   - store: The database of the generation in use.
    ///   - vault: Its folder `Media`, and the keys that follow from its master key.
    package init(
        store: JournalStore,
        vault: MediaVault,
        pictures: any JournalPictures,
        work: BlockingWork,
        time: any TimeSource
    ) {
        opened = Mutex(Opened(store: store, vault: vault))
        self.pictures = pictures
        self.work = work
        self.time = time
    }

    /// - Throws: ``JournalError/resting``.
    var store: JournalStore {
        get throws(JournalError) {
            guard let store = opened.withLock({ $0?.store }) else { throw .resting }
            return store
        }
    }

    /// - Throws: ``JournalError/resting``.
    var vault: MediaVault {
        get throws(JournalError) {
            guard let vault = opened.withLock({ $0?.vault }) else { throw .resting }
            return vault
        }
    }

    /// Waits for the writes that have begun, and closes the database. Whatever is asked from now on is refused with ``JournalError/resting``.
    /// Nothing where it is closed.
    package func close() async throws {
        let last = opened.withLock { opened in
            defer { opened = nil }
            return opened?.store
        }
        guard let last else { return }
        try await work.finish { try last.close() }
    }

    /// Records that were written after a moment, in milliseconds since 1970.
    package func changes(since moment: Int64) async throws -> Int {
        try await store.read { try $0.changes(since: moment) }
    }

    /// How many records there are of each kind.
    func counts() async throws -> JournalCounts { try await store.read { try $0.counts() } }

    /// Takes words into the index that were left for later, by a restore or by an import that did not come to its end. Returns when none are left.
    package func indexWords() async throws {
        let store = try store
        guard try await store.read({ try $0.hasUnindexed() }) else { return }
        while try await store.write({ try $0.indexSome() }) { try Task.checkCancellation() }
    }

    var now: Int64 { time.date.millisecondsSince1970 }

    /// A write, of which pages are told.
    func change<Value: Sendable>(_ body: @escaping @Sendable (JournalWriting) throws -> Value) async throws -> Value {
        let value = try await store.write(body)
        changed.send(())
        return value
    }

    // MARK: Stories

    /// A story with all that belongs to it.
    struct Detail: Sendable {
        var story: Story
        var media: [Medium]
        var categories: [String]
        var tree: CategoryTree
    }

    /// - Throws: ``JournalError/blank`` for a story with nothing in it, ``JournalError/unknownCategory(_:)``, ``JournalError/tooLong(_:limit:)``.
    func add(_ draft: StoryDraft) async throws -> Detail {
        try draft.check()
        guard [draft.title, draft.content].contains(where: { $0?.contains { !$0.isWhitespace } == true }) else {
            throw JournalError.blank
        }
        let now = now
        var story = Story(id: UUID.randomText(), createdAt: now, updatedAt: now, happenedAt: now)
        story = draft.applied(to: story, at: now)
        story.updatedAt = now
        return try await put(story, categories: draft.categories ?? [])
    }

    /// - Parameter id: A story's id, or a beginning that no other has.
    func edit(_ id: String, _ draft: StoryDraft) async throws -> Detail {
        try draft.check()
        let detail = try await detail(id)
        return try await put(draft.applied(to: detail.story, at: now), categories: draft.categories)
    }

    /// Deletes a story, which can be restored, or restores one.
    func setRemoved(_ id: String, _ isRemoved: Bool) async throws -> Detail {
        var story = try await detail(id).story
        guard story.isRemoved != isRemoved else { return try await detail(id) }
        story.isRemoved = isRemoved
        story.updatedAt = max(now, story.updatedAt + 1)
        return try await put(story, categories: nil)
    }

    private func put(_ story: Story, categories: [String]?) async throws -> Detail {
        try await change { writing in
            try writing.put(story)
            if let categories {
                let tree = CategoryTree(try writing.reading.categories())
                try writing.set(try categories.map { try tree.named($0).id }, of: story.id)
            }
            return try writing.reading.detail(of: story.id)
        }
    }

    func detail(_ id: String) async throws -> Detail { try await store.read { try $0.detail(of: id) } }

    /// - Parameter category: By id, path or name; those inside of it count, too.
    func list(
        _ query: StoryQuery,
        in category: String?
    ) async throws -> (stories: [JournalReading.Listed], tree: CategoryTree) {
        // A search that passed over stories would say that there are none.
        if query.words != nil { try await indexWords() }
        return try await store.read { reading in
            let tree = CategoryTree(try reading.categories())
            var query = query
            if let category { query.categories = tree.branch(of: try tree.named(category).id) }
            return (try reading.stories(query), tree)
        }
    }

    // MARK: Categories

    func categories() async throws -> (tree: CategoryTree, stories: [String: Int]) {
        try await store.read { (CategoryTree(try $0.categories()), try $0.storyCounts()) }
    }

    /// - Parameter parent: By id, path or name; nil for the top.
    func addCategory(_ name: String, under parent: String?, color: String?, icon: String?) async throws
        -> JournalCategory
    {
        let name = try Self.categoryName(name)
        let now = now
        return try await change { writing in
            let tree = CategoryTree(try writing.reading.categories())
            let parent = try parent.map { try tree.named($0) }
            guard tree.find(name, under: parent?.id) == nil else { throw JournalError.categoryExists(name) }
            let level = (parent?.level ?? 0) + 1
            guard level <= JournalLimits.depth else { throw JournalError.categoryCycle }
            var category = JournalCategory(id: UUID.randomText(), name: name, level: level, createdAt: now)
            category.parentId = parent?.id
            if let color { category.colorHex = color }
            if let icon { category.iconName = icon }
            try writing.put(category)
            return category
        }
    }

    /// Renames, moves or colours a category; nil leaves a part as it is.
    ///
    /// - Parameter parent: By id, path or name; empty for the top.
    func editCategory(
        _ reference: String,
        name: String?,
        parent: String?,
        color: String?,
        sortOrder: Int64?
    ) async throws -> JournalCategory {
        let name = try name.map { try Self.categoryName($0) }
        return try await change { writing in
            let tree = CategoryTree(try writing.reading.categories())
            var category = try tree.named(reference)
            if let name { category.name = name }
            if let color { category.colorHex = color }
            if let sortOrder { category.sortOrder = sortOrder }
            if let parent {
                let above = parent.isEmpty ? nil : try tree.named(parent)
                if let above, tree.branch(of: category.id).contains(above.id) { throw JournalError.categoryCycle }
                category.parentId = above?.id
                category.level = (above?.level ?? 0) + 1
                guard category.level <= JournalLimits.depth else { throw JournalError.categoryCycle }
            }
            if let other = tree.find(category.name, under: category.parentId), other.id != category.id {
                throw JournalError.categoryExists(category.name)
            }
            try writing.put(category)
            return category
        }
    }

    /// Its stories stay.
    ///
    /// - Throws: ``JournalError/categoryHasParts``.
    func removeCategory(_ reference: String) async throws -> JournalCategory {
        try await change { writing in
            let tree = CategoryTree(try writing.reading.categories())
            let category = try tree.named(reference)
            guard !tree.hasParts(category.id) else { throw JournalError.categoryHasParts }
            try writing.removeCategory(category.id)
            return category
        }
    }

    static func categoryName(_ text: String) throws(JournalError) -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw .blank }
        guard name.utf8.count <= JournalLimits.name else {
            throw .tooLong("category's name", limit: JournalLimits.name)
        }
        return name
    }

    // MARK: Settings

    func settings() async throws -> [JournalSetting] { try await store.read { try $0.settings() } }

    /// - Throws: ``JournalError/badSetting(type:)``, ``JournalError/tooLong(_:limit:)``.
    func set(_ key: String, type: String, value: String) async throws -> JournalSetting {
        guard !key.isEmpty else { throw JournalError.blank }
        guard key.utf8.count <= JournalLimits.identifier else {
            throw JournalError.tooLong("setting's key", limit: JournalLimits.identifier)
        }
        guard value.utf8.count <= JournalLimits.settingValue else {
            throw JournalError.tooLong("setting's value", limit: JournalLimits.settingValue)
        }
        let setting = JournalSetting(key: key, type: type, value: value, updatedAt: now)
        guard setting.isValid else { throw JournalError.badSetting(type: type) }
        return try await change { writing in
            var setting = setting
            setting.extra = try writing.reading.setting(key)?.extra ?? [:]
            try writing.put(setting)
            return setting
        }
    }
}

extension CategoryTree {
    /// - Parameter reference: An id, a path as `Travel/Italy`, or a name that only one category has.
    /// - Throws: ``JournalError/unknownCategory(_:)``.
    func named(_ reference: String) throws(JournalError) -> JournalCategory {
        if let category = self[reference] { return category }
        var (found, parent): (JournalCategory?, String?) = (nil, nil)
        for name in reference.split(separator: "/") {
            found = find(name.trimmingCharacters(in: .whitespaces), under: parent)
            guard let found else { break }
            parent = found.id
        }
        if let found { return found }
        let all = inOrder.filter { $0.name.lowercased() == reference.lowercased() }
        guard all.count == 1, let only = all.first else { throw .unknownCategory(reference) }
        return only
    }
}

extension JournalReading {
    /// - Parameter id: A story's id, or a beginning that no other has.
    /// - Throws: ``JournalError/unknownStory``, ``JournalError/severalStories``.
    func detail(of id: String) throws -> JournalRepository.Detail {
        let known = try story(id)
        let ids = known == nil && !id.isEmpty ? try storyIDs(beginning: id) : []
        guard ids.count < 2 else { throw JournalError.severalStories }
        guard let story = try known ?? ids.first.flatMap({ try story($0) }) else { throw JournalError.unknownStory }
        return JournalRepository.Detail(
            story: story,
            media: try media(of: story.id),
            categories: try categories(of: story.id),
            tree: CategoryTree(try categories())
        )
    }
}
