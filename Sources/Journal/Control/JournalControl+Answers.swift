package import Control

extension JournalControl {
    package struct Purged: Codable, Hashable, Sendable {
        /// How many stories.
        package var stories: Int

        package init(stories: Int) { self.stories = stories }
    }

    package struct Stories: Codable, Hashable, Sendable {
        package var stories: [StoryEntry]
        /// Where the next page begins; null at the end.
        @OrNull package var next: String?
    }

    /// A story in a list.
    package struct StoryEntry: Codable, Hashable, Sendable {
        package var id: String
        /// Of a story without one, its first words.
        package var title: String
        /// The beginning of its text on one line, or what was found in it.
        package var excerpt: String
        package var timestamp: Int64
        package var updatedAt: Int64
        @OrNull package var mood: String?
        @OrNull package var location: String?
        /// Paths as `Travel/Italy`.
        package var categories: [String]
        /// How many media it has.
        package var media: Int
        package var isDeleted: Bool
    }

    package struct Story: Codable, Hashable, Sendable {
        package var id: String
        @OrNull package var title: String?
        /// Markdown. A medium stands in it as `media://ID`.
        package var content: String
        /// Whether the text goes on: one of more than 512 KiB is whole only in an export.
        package var isCut: Bool
        package var timestamp: Int64
        package var createdAt: Int64
        package var updatedAt: Int64
        @OrNull package var mood: String?
        @OrNull package var location: String?
        @OrNull package var latitude: Double?
        @OrNull package var longitude: Double?
        package var categories: [CategoryName]
        package var media: [Medium]
        package var isDeleted: Bool
    }

    package struct CategoryName: Codable, Hashable, Sendable {
        package var id: String
        /// As `Travel/Italy`.
        package var path: String
    }

    package struct Categories: Codable, Hashable, Sendable {
        package var categories: [CategoryEntry]
    }

    package struct CategoryEntry: Codable, Hashable, Sendable {
        package var id: String
        package var name: String
        /// As `Travel/Italy`.
        package var path: String
        /// 1 at the top.
        package var level: Int
        @OrNull package var parent: String?
        package var color: String
        package var icon: String
        package var sortOrder: Int64
        /// Stories in it that are not deleted.
        package var stories: Int
    }

    package struct Medium: Codable, Hashable, Sendable {
        package var id: String
        /// `image`, `video`, `audio` or `file`.
        package var type: String
        package var fileName: String
        /// Bytes, encrypted.
        package var fileSize: Int64
        /// Pixels; 0 where it is not known.
        package var width: Int64
        package var height: Int64
        /// Seconds; 0 where it is not known.
        package var duration: Double
        package var createdAt: Int64
        package var hasThumbnail: Bool
        /// Why its file is missing; null where it is here.
        @OrNull package var broken: String?
    }

    package struct Saved: Codable, Hashable, Sendable {
        package var path: String
        package var type: String
    }

    package struct Settings: Codable, Hashable, Sendable {
        package var settings: [Setting]
    }

    package struct Setting: Codable, Hashable, Sendable {
        package var key: String
        /// `bool`, `int`, `string` or `json`.
        package var type: String
        package var value: String

        package init(key: String, type: String, value: String) {
            self.key = key
            self.type = type
            self.value = value
        }
    }

    package struct Imported: Codable, Hashable, Sendable {
        package var format: String
        package var added: Int
        package var updated: Int
        package var unchanged: Int
        package var addedMedia: Int
        package var unchangedMedia: Int
        /// At most 1,000 of `problemCount`.
        package var problems: [Problem]
        package var problemCount: Int
    }

    /// An item that was left out, and why.
    package struct Problem: Codable, Hashable, Sendable {
        package var item: String
        package var reason: String
    }

    package struct Exported: Codable, Hashable, Sendable {
        package var folder: String
        package var stories: Int
        package var media: Int
        /// Media whose file is missing or damaged.
        package var broken: [Broken]
    }

    package struct Broken: Codable, Hashable, Sendable {
        package var medium: String
        package var fileName: String
        /// `FILE_NOT_FOUND`, `READ_ERROR` and the like.
        package var reason: String
        @OrNull package var story: String?
    }
}
