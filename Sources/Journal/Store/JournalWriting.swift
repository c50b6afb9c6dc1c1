import Foundation
import GRDB
import Kernel
import Storage

/// What can be changed in a journal, within one transaction.
struct JournalWriting {
    let database: Database

    init(_ database: Database) { self.database = database }

    var reading: JournalReading { JournalReading(database) }

    // MARK: Stories

    /// When a story's words come into the index.
    enum Indexing {
        /// In this transaction.
        case now
        /// By ``indexSome()``. Words of many stories at once are sorted in memory, while each story for itself would be a part of the index that
        /// has to be merged with the others.
        case later
    }

    private static let upsert: String = {
        let names = Story.columns.split(separator: ",").map { $0.drop { $0 == " " } }
        let changes = names.filter { $0 != "id" }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return """
            INSERT INTO story (\(Story.columns)) VALUES (\(marks))
            ON CONFLICT (id) DO UPDATE SET \(changes) RETURNING number
            """
    }()

    /// Adds a story, or replaces the one of its id, and keeps the index of words.
    func put(_ story: Story, indexing: Indexing = .now) throws {
        let statement = try database.cachedStatement(sql: Self.upsert)
        let numbers = try Int64.fetchAll(statement, arguments: StatementArguments(story.columnValues))
        guard let number = numbers.first else { throw StorageError.damaged }
        switch indexing {
        case .later: try database.run("INSERT OR IGNORE INTO story_unindexed (number) VALUES (\(number))")
        case .now:
            let waits: Int? = try database.value("SELECT 1 FROM story_unindexed WHERE number = \(number)")
            // The index takes the story later as it is then.
            guard waits == nil else { return }
            try index(number, title: story.isRemoved ? nil : (story.title ?? ""), text: story.plainText)
        }
    }

    /// - Parameter title: Nil for a story whose words are not found.
    private func index(_ number: Int64, title: String?, text: String?) throws {
        try database.run("DELETE FROM story_words WHERE rowid = \(number)")
        guard let title else { return }
        let titleWords = SearchText.indexed(title, limit: JournalLimits.title)
        let textWords = SearchText.indexed(text ?? "", limit: JournalLimits.content)
        try database.run("INSERT INTO story_words (rowid, title, text) VALUES (\(number), \(titleWords), \(textWords))")
    }

    /// Bounds of one call of ``indexSome()``, so that other writes have their turn.
    private static let (indexedStories, indexedBytes) = (5000, 16 << 20)

    /// Takes words into the index that were left for later, in the order of the stories' numbers: FTS5 sorts them in memory as long as numbers grow.
    ///
    /// - Returns: Whether any are left.
    func indexSome() throws -> Bool {
        let rows = try database.cursor(
            """
            SELECT u.number, s.isRemoved, s.title, s.plainText FROM story_unindexed u LEFT JOIN story s ON s.number = u.number
            ORDER BY u.number LIMIT \(Self.indexedStories)
            """
        )
        var (last, bytes) = (Int64?.none, 0)
        while bytes < Self.indexedBytes, let row = try rows.next() {
            let number: Int64 = row[0]
            let isShown = (row[1] as Bool?) == false
            let (title, text): (String?, String?) = (row[2], row[3])
            try index(number, title: isShown ? (title ?? "") : nil, text: text)
            bytes += isShown ? text?.utf8.count ?? 0 : 0
            last = number
        }
        guard let last else { return false }
        try database.run("DELETE FROM story_unindexed WHERE number <= \(last)")
        return try reading.hasUnindexed()
    }

    // MARK: Categories

    /// Adds a category, or replaces the one of its id, and sets the levels of all below it.
    func put(_ category: JournalCategory) throws {
        try insert(category)
        try levels(below: category.id, from: category.level)
    }

    private static let categoryUpsert: String = {
        let names = JournalCategory.columns.split(separator: ",").map { $0.drop { $0 == " " } }
        return "ON CONFLICT (id) DO UPDATE SET "
            + names.filter { $0 != "id" }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    }()

    /// Without a look at what is below it.
    func insert(_ category: JournalCategory) throws {
        let marks = category.columnValues.map { _ in "?" }.joined(separator: ", ")
        try database.cachedStatement(
            sql: "INSERT INTO category (\(JournalCategory.columns)) VALUES (\(marks)) \(Self.categoryUpsert)"
        ).execute(arguments: StatementArguments(category.columnValues))
    }

    private func levels(below parent: String, from level: Int) throws {
        var above = [(id: parent, level: level)]
        while let next = above.popLast() {
            let children: [String] = try database.values("SELECT id FROM category WHERE parent = \(next.id)")
            for child in children {
                guard next.level < JournalLimits.depth else { throw JournalError.categoryCycle }
                try database.run("UPDATE category SET level = \(next.level + 1) WHERE id = \(child)")
                above.append((child, next.level + 1))
            }
        }
    }

    func removeCategory(_ id: String) throws {
        try database.run("DELETE FROM story_category WHERE category = \(id)")
        try database.run("DELETE FROM category WHERE id = \(id)")
    }

    // MARK: Relations

    /// Nothing where it is there.
    func put(_ relation: StoryCategory) throws {
        try RowInsert(database, "INSERT OR IGNORE", into: "story_category", StoryCategory.columns)
            .run(relation.columnValues)
    }

    /// Puts a story into these categories and no others. Relations that stay keep what they had.
    func set(_ categories: [String], of story: String) throws {
        try database.run("DELETE FROM story_category WHERE story = \(story) AND category NOT IN \(categories)")
        for category in categories { try put(StoryCategory(storyId: story, categoryId: category)) }
    }

    // MARK: Media and settings

    /// Adds a medium, or replaces the one of its id.
    func put(_ medium: Medium) throws {
        try RowInsert(database, "INSERT OR REPLACE", into: "medium", Medium.columns).run(medium.columnValues)
    }

    /// Adds a setting, or replaces the one of its key.
    func put(_ setting: JournalSetting) throws {
        try RowInsert(database, "INSERT OR REPLACE", into: "setting", JournalSetting.columns).run(setting.columnValues)
    }

    // MARK: Purging

    /// Removes deleted stories for good, their media and their places in categories. The media's files are noted as unused.
    ///
    /// - Returns: How many stories.
    func purge(_ stories: [String]) throws -> Int {
        var purged = 0
        for id in stories {
            let number: Int64? = try database.value("SELECT number FROM story WHERE id = \(id) AND isRemoved")
            guard let number else { continue }
            for medium in try reading.media(of: id) {
                for path in [medium.path, medium.thumbnailPath].compactMap(\.self) {
                    try database.run("INSERT OR IGNORE INTO unused_file (path) VALUES (\(path.text))")
                }
            }
            try database.run("DELETE FROM medium WHERE story = \(id)")
            try database.run("DELETE FROM story_category WHERE story = \(id)")
            try database.run("DELETE FROM story_words WHERE rowid = \(number)")
            try database.run("DELETE FROM story_unindexed WHERE number = \(number)")
            try database.run("DELETE FROM story WHERE number = \(number)")
            purged += 1
        }
        return purged
    }

    /// Forgets that files are unused: they are gone, or a record names them again.
    func settle(unused paths: [MediaPath]) throws {
        for path in paths { try database.run("DELETE FROM unused_file WHERE path = \(path.text)") }
    }
}
