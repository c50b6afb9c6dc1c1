import GRDB
import Kernel
import Storage

/// What can be read of a journal, within one transaction.
struct JournalReading {
    let database: Database

    init(_ database: Database) { self.database = database }

    /// A story in a list.
    struct Listed: Sendable {
        var story: Story
        var number: Int64
        var media: Int
        var categories: [String]
        /// The part of the text around the first of the words; nil in a list without words.
        var found: String?
    }

    // MARK: Stories

    func story(_ id: String) throws -> Story? {
        try database.row("SELECT \(sql: Story.columns) FROM story WHERE id = \(id)").map { try Story($0) }
    }

    /// When the story was changed, in milliseconds since 1970; nil where there is none.
    func updatedAt(ofStory id: String) throws -> Int64? {
        try database.value("SELECT updatedAt FROM story WHERE id = \(id)")
    }

    /// Deleted stories that were not touched since a moment, the oldest first.
    func removedStories(before moment: Int64, limit: Int) throws -> [String] {
        try database.values(
            "SELECT id FROM story WHERE isRemoved AND updatedAt < \(moment) ORDER BY updatedAt, number LIMIT \(limit)"
        )
    }

    /// Whether words of stories wait for the index.
    func hasUnindexed() throws -> Bool {
        try database.value("SELECT EXISTS (SELECT 1 FROM story_unindexed)") ?? 0 == 1
    }

    /// Ids that begin so, at most two: that is enough to know whether one is meant.
    func storyIDs(beginning: String) throws -> [String] {
        // By bounds and not by LIKE, which would read signs in the text.
        try database.values(
            "SELECT id FROM story WHERE id >= \(beginning) AND id < \(beginning + "\u{10FFFF}") ORDER BY id LIMIT 2"
        )
    }

    /// - Returns: Stories, the newest first.
    func stories(_ query: StoryQuery) throws -> [Listed] {
        let place = query.before ?? StoryQuery.Place(happenedAt: .max, number: .max)
        let listed: SQL = "\(sql: Story.columns), number"
        let rows: [Row]
        if let words = query.words {
            guard let expression = SearchWords(words)?.expression else { return [] }
            // The words decide first, whatever SQLite's planner thinks: for rare words it would go through all stories. The stories are read
            // only when it is known which.
            let numbers: [Int64] = try database.values(
                """
                SELECT s.number
                FROM story_words CROSS JOIN story s INDEXED BY story_moment ON s.number = story_words.rowid
                WHERE story_words MATCH \(expression) AND s.isRemoved = \(query.isRemoved) AND \(bounds(query, place))
                ORDER BY s.happenedAt DESC, s.number DESC LIMIT \(query.limit)
                """
            )
            rows = try numbers.compactMap { try database.row("SELECT \(listed) FROM story WHERE number = \($0)") }
        } else {
            rows = try database.rows(
                """
                SELECT \(listed) FROM story s
                WHERE s.isRemoved = \(query.isRemoved) AND \(bounds(query, place))
                ORDER BY s.happenedAt DESC, s.number DESC LIMIT \(query.limit)
                """
            )
        }
        return try rows.map { row in
            let story = try Story(row)
            return Listed(
                story: story,
                number: row[Story.numberColumn],
                media: try database.value("SELECT count(*) FROM medium WHERE story = \(story.id)") ?? 0,
                categories: try categories(of: story.id),
                found: query.words.map { FoundText.excerpt(of: story.plainText ?? "", around: $0) }
            )
        }
    }

    private func bounds(_ query: StoryQuery, _ place: StoryQuery.Place) -> SQL {
        var bounds: SQL = "(s.happenedAt, s.number) < (\(place.happenedAt), \(place.number))"
        if let from = query.from { bounds += " AND s.happenedAt >= \(from)" }
        if let until = query.until { bounds += " AND s.happenedAt < \(until)" }
        if let categories = query.categories {
            bounds += " AND s.id IN (SELECT story FROM story_category WHERE category IN \(categories))"
        }
        return bounds
    }

    // MARK: Categories

    func category(_ id: String) throws -> JournalCategory? {
        try database.row("SELECT \(sql: JournalCategory.columns) FROM category WHERE id = \(id)").map {
            try JournalCategory($0)
        }
    }

    /// All of them, those at the top first, beside each other in their order.
    func categories() throws -> [JournalCategory] {
        try database.rows("SELECT \(sql: JournalCategory.columns) FROM category ORDER BY level, sortOrder, name, id")
            .map { try JournalCategory($0) }
    }

    /// The ids of a story's categories.
    func categories(of story: String) throws -> [String] {
        try database.values("SELECT category FROM story_category WHERE story = \(story) ORDER BY category")
    }

    /// How many stories that are not removed each category has; one without any is left out.
    func storyCounts() throws -> [String: Int] {
        let rows = try database.rows(
            """
            SELECT category, count(*) AS stories FROM story_category JOIN story ON story.id = story_category.story
            WHERE NOT isRemoved GROUP BY category
            """
        )
        return Dictionary(rows.map { ($0["category"], $0["stories"]) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Media

    func medium(_ id: String) throws -> Medium? {
        try database.row("SELECT \(sql: Medium.columns) FROM medium WHERE id = \(id)").map { try Medium($0) }
    }

    func media(of story: String) throws -> [Medium] {
        try database.rows("SELECT \(sql: Medium.columns) FROM medium WHERE story = \(story) ORDER BY createdAt, id")
            .map { try Medium($0) }
    }

    func hasMedium(_ id: String) throws -> Bool {
        try database.value("SELECT 1 FROM medium WHERE id = \(id)") ?? 0 == 1
    }

    /// Files whose records are gone, and which no other record names.
    func unusedFiles(limit: Int) throws -> (unused: [MediaPath], named: [MediaPath]) {
        let rows = try database.rows(
            """
            SELECT path, path IN (
                SELECT path FROM medium WHERE path IS NOT NULL
                UNION SELECT thumbnailPath FROM medium WHERE thumbnailPath IS NOT NULL
            ) FROM unused_file ORDER BY path LIMIT \(limit)
            """
        )
        let paths = rows.compactMap { row in MediaPath(row[0]).map { (path: $0, isNamed: row[1] as Bool) } }
        return (paths.filter { !$0.isNamed }.map(\.path), paths.filter(\.isNamed).map(\.path))
    }

    /// All files that purges left behind.
    func unusedPaths() throws -> Set<MediaPath> {
        Set(try database.values("SELECT path FROM unused_file").compactMap { (path: String) in MediaPath(path) })
    }

    // MARK: Settings

    func setting(_ key: String) throws -> JournalSetting? {
        try database.row("SELECT \(sql: JournalSetting.columns) FROM setting WHERE key = \(key)").map {
            try JournalSetting($0)
        }
    }

    func settings() throws -> [JournalSetting] {
        try database.rows("SELECT \(sql: JournalSetting.columns) FROM setting ORDER BY key").map {
            try JournalSetting($0)
        }
    }

    // MARK: All records

    /// Records that were written after a moment, in milliseconds since 1970: stories and settings that changed, categories and media that are new.
    func changes(since moment: Int64) throws -> Int {
        try database.value(
            """
            SELECT (SELECT count(*) FROM story WHERE updatedAt > \(moment))
                + (SELECT count(*) FROM setting WHERE updatedAt > \(moment))
                + (SELECT count(*) FROM category WHERE createdAt > \(moment))
                + (SELECT count(*) FROM medium WHERE createdAt > \(moment))
            """
        ) ?? 0
    }

    func counts() throws -> JournalCounts {
        JournalCounts(
            settings: try count("setting"),
            categories: try count("category"),
            stories: try count("story"),
            media: try count("medium"),
            relations: try count("story_category")
        )
    }

    private func count(_ table: String) throws -> Int {
        try database.value("SELECT count(*) FROM \(sql: table)") ?? 0
    }

    /// Every record of a kind, one at a time, in the order of their keys.
    func forEach(_ kind: RecordKind, _ body: (any JournalRecord) throws -> Void) throws {
        try read(kind, after: nil) { _, record in
            try body(record)
            return true
        }
    }

    /// Records of a kind in the order of their keys, until `take` answers false. A key is an id, a setting's key, or a relation's two ids with a
    /// zero byte between.
    ///
    /// - Parameter key: The key behind which the records begin; nil for all.
    func read(_ kind: RecordKind, after key: String?, _ take: (String, any JournalRecord) throws -> Bool) throws {
        // No id is empty.
        let after = key ?? ""
        switch kind {
        case .settings:
            let query: SQL = "SELECT \(sql: JournalSetting.columns) FROM setting WHERE key > \(after) ORDER BY key"
            try each(query, JournalSetting.init, \.key, take)
        case .categories:
            try each(
                "SELECT \(sql: JournalCategory.columns) FROM category WHERE id > \(after) ORDER BY id",
                JournalCategory.init,
                \.id,
                take
            )
        case .stories:
            let query: SQL = "SELECT \(sql: Story.columns) FROM story WHERE id > \(after) ORDER BY id"
            try each(query, Story.init, \.id, take)
        case .media:
            let query: SQL = "SELECT \(sql: Medium.columns) FROM medium WHERE id > \(after) ORDER BY id"
            try each(query, Medium.init, \.id, take)
        case .relations:
            let parts = after.split(separator: "\0", maxSplits: 1).map(String.init)
            let (story, category) = (parts.first ?? "", parts.count > 1 ? parts[1] : "")
            try each(
                "SELECT \(sql: StoryCategory.columns) FROM story_category WHERE (story, category) > (\(story), \(category)) ORDER BY story, category",
                StoryCategory.init,
                \.key,
                take
            )
        }
    }

    private func each<Record: JournalRecord>(
        _ query: SQL,
        _ make: (Row) throws -> Record,
        _ key: (Record) -> String,
        _ take: (String, any JournalRecord) throws -> Bool
    ) throws {
        let rows = try database.cursor(query)
        while let row = try rows.next() {
            let record = try make(row)
            guard try take(key(record), record) else { return }
        }
    }
}

extension StoryCategory {
    fileprivate var key: String { "\(storyId)\0\(categoryId)" }
}
