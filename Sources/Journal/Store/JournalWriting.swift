import Foundation
import GRDB
import Kernel
import Storage

/// What can be changed in a journal, within one transaction.
struct JournalWriting {
    let database: Database

    init(_ database: Database) { self.database = database }

    var reading: JournalReading { JournalReading(database) }

    /// Does several writes, or none where one of them fails; the rest of the transaction stays.
    func whole<Value>(_ body: () throws -> Value) throws -> Value {
        var value: Value?
        try database.inSavepoint {
            value = try body()
            return .commit
        }
        guard let value else { throw StorageError.damaged }
        return value
    }

    // MARK: Stories

    /// Adds a story, or replaces the one of its id, and keeps the index of words.
    func put(_ story: Story) throws {
        let place = story.place
        try database.run(
            """
            INSERT INTO story (
                id, title, content, plainText, createdAt, updatedAt, happenedAt, isRemoved, syncStatus, mood, locationName,
                locationAddress, locationCity, latitude, longitude, horizontalAccuracy, verticalAccuracy, extra
            ) VALUES (
                \(story.id), \(story.title), \(story.content), \(story.plainText), \(story.createdAt), \(story.updatedAt),
                \(story.happenedAt), \(story.isRemoved), \(story.syncStatus.canonicalText), \(story.mood),
                \(story.locationName), \(story.locationAddress), \(story.locationCity), \(place?.latitude),
                \(place?.longitude), \(place?.horizontalAccuracy), \(place?.verticalAccuracy),
                \(StoredExtra.text(story.extra))
            ) ON CONFLICT (id) DO UPDATE SET
                title = excluded.title, content = excluded.content, plainText = excluded.plainText,
                createdAt = excluded.createdAt, updatedAt = excluded.updatedAt, happenedAt = excluded.happenedAt,
                isRemoved = excluded.isRemoved, syncStatus = excluded.syncStatus, mood = excluded.mood,
                locationName = excluded.locationName, locationAddress = excluded.locationAddress,
                locationCity = excluded.locationCity, latitude = excluded.latitude, longitude = excluded.longitude,
                horizontalAccuracy = excluded.horizontalAccuracy, verticalAccuracy = excluded.verticalAccuracy,
                extra = excluded.extra
            """
        )
        let number: Int64? = try database.value("SELECT number FROM story WHERE id = \(story.id)")
        guard let number else { throw StorageError.damaged }
        try database.run("DELETE FROM story_words WHERE rowid = \(number)")
        guard !story.isRemoved else { return }
        let title = SearchText.indexed(story.title ?? "", limit: JournalLimits.title)
        let text = SearchText.indexed(story.plainText ?? "", limit: JournalLimits.content)
        try database.run("INSERT INTO story_words (rowid, title, text) VALUES (\(number), \(title), \(text))")
    }

    // MARK: Categories

    /// Adds a category, or replaces the one of its id, and sets the levels of all below it.
    func put(_ category: JournalCategory) throws {
        try insert(category)
        try levels(below: category.id, from: category.level)
    }

    /// Without a look at what is below it.
    func insert(_ category: JournalCategory) throws {
        let icon = category.customIcon.map { Data($0) }
        try database.run(
            """
            INSERT INTO category (
                id, name, nameEn, colorHex, level, parent, iconName, iconType, customIcon, sortOrder, createdAt, extra
            ) VALUES (
                \(category.id), \(category.name), \(category.nameEn), \(category.colorHex), \(category.level),
                \(category.parentId), \(category.iconName), \(category.iconType), \(icon), \(category.sortOrder),
                \(category.createdAt), \(StoredExtra.text(category.extra))
            ) ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, nameEn = excluded.nameEn, colorHex = excluded.colorHex, level = excluded.level,
                parent = excluded.parent, iconName = excluded.iconName, iconType = excluded.iconType,
                customIcon = excluded.customIcon, sortOrder = excluded.sortOrder, createdAt = excluded.createdAt,
                extra = excluded.extra
            """
        )
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

    /// - Returns: False where it was there.
    @discardableResult
    func put(_ relation: StoryCategory) throws -> Bool {
        try database.run(
            """
            INSERT OR IGNORE INTO story_category (story, category, extra)
            VALUES (\(relation.storyId), \(relation.categoryId), \(StoredExtra.text(relation.extra)))
            """
        )
        return database.changesCount > 0
    }

    /// Puts a story into these categories and no others. Relations that stay keep what they had.
    func set(_ categories: [String], of story: String) throws {
        try database.run("DELETE FROM story_category WHERE story = \(story) AND category NOT IN \(categories)")
        for category in categories { try put(StoryCategory(storyId: story, categoryId: category)) }
    }

    // MARK: Media and settings

    /// Adds a medium, or replaces the one of its id.
    func put(_ medium: Medium) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO medium (
                id, kind, fileName, thumbnailFileName, keyId, fileSize, width, height, duration, createdAt, story, path,
                thumbnailPath, sha256, thumbnailSize, thumbnailSHA256, broken, extra
            ) VALUES (
                \(medium.id), \(medium.kind.rawValue), \(medium.fileName), \(medium.thumbnailFileName), \(medium.keyId),
                \(medium.fileSize), \(medium.width), \(medium.height), \(medium.duration), \(medium.createdAt),
                \(medium.storyId), \(medium.path?.text), \(medium.thumbnailPath?.text), \(medium.sha256),
                \(medium.thumbnailSize), \(medium.thumbnailSHA256), \(medium.broken?.rawValue),
                \(StoredExtra.text(medium.extra))
            )
            """
        )
    }

    /// Adds a setting, or replaces the one of its key.
    func put(_ setting: JournalSetting) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO setting (key, type, value, updatedAt, extra)
            VALUES (\(setting.key), \(setting.type), \(setting.value), \(setting.updatedAt),
                \(StoredExtra.text(setting.extra)))
            """
        )
    }
}
