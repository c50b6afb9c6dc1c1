package import Control

/// What commands and pages on this machine ask of a phone's journal. A story is named by its id or a beginning that no other has, a category by
/// its id, a path as `Travel/Italy`, or a name that only one has. Times are milliseconds since 1970.
package enum JournalControl {
    /// Told after each change, without data.
    package static let topic = "journal"

    // MARK: Stories

    package static let list = ControlMethod<List, Stories>(
        "journal.list",
        summary: "Stories of the journal, the newest first."
    )
    package static let search = ControlMethod<Search, Stories>(
        "journal.search",
        summary: "Find stories by their words, the newest first."
    )
    package static let show = ControlMethod<Choice, Story>(
        "journal.show",
        summary: "A story with all that belongs to it."
    )
    package static let add = ControlMethod<Draft, Story>("journal.add", summary: "Write a story.")
    /// A member that is missing stays as it is; an empty text takes it away.
    package static let edit = ControlMethod<Edit, Story>("journal.edit", summary: "Change a story.")
    package static let delete = ControlMethod<Choice, Story>(
        "journal.delete",
        summary: "Delete a story, which can be restored."
    )
    package static let restore = ControlMethod<Choice, Story>("journal.restore", summary: "Restore a deleted story.")
    /// Of a story, or of all that are deleted.
    package static let purge = ControlMethod<Purge, Purged>(
        "journal.purge",
        summary: "Remove deleted stories for good, with their media."
    )

    // MARK: Categories

    package static let categories = ControlMethod<NoControlParameters, Categories>(
        "journal.categories",
        summary: "The categories, each before what is inside of it."
    )
    package static let addCategory = ControlMethod<NewCategory, CategoryEntry>(
        "journal.addCategory",
        summary: "Make a category."
    )
    package static let editCategory = ControlMethod<ChangedCategory, CategoryEntry>(
        "journal.editCategory",
        summary: "Rename, move or colour a category."
    )
    package static let deleteCategory = ControlMethod<CategoryChoice, CategoryEntry>(
        "journal.deleteCategory",
        summary: "Delete a category that has none inside of it; its stories stay."
    )

    // MARK: Media

    package static let attach = ControlMethod<Attachment, Medium>(
        "journal.attach",
        summary: "Put a file of this machine into a story, encrypted."
    )
    package static let save = ControlMethod<Saving, Saved>(
        "journal.save",
        summary: "Write a medium, as it was, into a new file of this machine."
    )

    // MARK: Settings

    package static let settings = ControlMethod<NoControlParameters, Settings>(
        "journal.settings",
        summary: "The journal's own settings."
    )
    package static let set = ControlMethod<Setting, Setting>(
        "journal.set",
        summary: "Change one of the journal's settings."
    )

    // MARK: In and out

    package static let importing = ControlMethod<Import, Imported>(
        "journal.import",
        summary: "Bring in a Day One zip, a Joplin JEX, a folder of Markdown or an export of this program."
    )
    package static let exporting = ControlMethod<Export, Exported>(
        "journal.export",
        summary: "Write the journal into a new folder: JSON, Markdown and media, not encrypted."
    )

    // MARK: Parameters

    package struct List: Codable, Hashable, Sendable {
        /// Those inside of it count, too.
        package var category: String?
        package var from: Int64?
        /// The first moment that does not count any more.
        package var until: Int64?
        /// Only deleted stories; nil counts as false.
        package var deleted: Bool?
        /// The member `next` of the answer before.
        package var before: String?
        /// 1 to 200; nil counts as 50.
        package var limit: Int?

        package init(
            category: String? = nil,
            from: Int64? = nil,
            until: Int64? = nil,
            deleted: Bool? = nil,
            before: String? = nil,
            limit: Int? = nil
        ) {
            self.category = category
            self.from = from
            self.until = until
            self.deleted = deleted
            self.before = before
            self.limit = limit
        }
    }

    package struct Search: Codable, Hashable, Sendable {
        package var words: String
        package var category: String?
        package var before: String?
        /// 1 to 200; nil counts as 50.
        package var limit: Int?

        package init(words: String, category: String? = nil, before: String? = nil, limit: Int? = nil) {
            self.words = words
            self.category = category
            self.before = before
            self.limit = limit
        }
    }

    package struct Choice: Codable, Hashable, Sendable {
        package var id: String

        package init(_ id: String) { self.id = id }
    }

    package struct Purge: Codable, Hashable, Sendable {
        /// Nil for all deleted stories.
        package var id: String?

        package init(_ id: String? = nil) { self.id = id }
    }

    package struct Draft: Codable, Hashable, Sendable {
        package var title: String?
        /// Markdown, at most 512 KiB.
        package var content: String?
        /// When it happened.
        package var timestamp: Int64?
        package var mood: String?
        package var location: String?
        package var latitude: Double?
        package var longitude: Double?
        package var categories: [String]?

        package init(
            title: String? = nil,
            content: String? = nil,
            timestamp: Int64? = nil,
            mood: String? = nil,
            location: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            categories: [String]? = nil
        ) {
            self.title = title
            self.content = content
            self.timestamp = timestamp
            self.mood = mood
            self.location = location
            self.latitude = latitude
            self.longitude = longitude
            self.categories = categories
        }
    }

    package struct Edit: Codable, Hashable, Sendable {
        package var id: String
        package var change: Draft

        package init(_ id: String, _ change: Draft) {
            self.id = id
            self.change = change
        }
    }

    package struct CategoryChoice: Codable, Hashable, Sendable {
        package var category: String

        package init(_ category: String) { self.category = category }
    }

    package struct NewCategory: Codable, Hashable, Sendable {
        package var name: String
        /// Nil for the top.
        package var parent: String?
        package var color: String?
        package var icon: String?

        package init(name: String, parent: String? = nil, color: String? = nil, icon: String? = nil) {
            self.name = name
            self.parent = parent
            self.color = color
            self.icon = icon
        }
    }

    package struct ChangedCategory: Codable, Hashable, Sendable {
        package var category: String
        package var name: String?
        /// Empty for the top.
        package var parent: String?
        package var color: String?
        package var sortOrder: Int64?

        package init(
            _ category: String,
            name: String? = nil,
            parent: String? = nil,
            color: String? = nil,
            sortOrder: Int64? = nil
        ) {
            self.category = category
            self.name = name
            self.parent = parent
            self.color = color
            self.sortOrder = sortOrder
        }
    }

    package struct Attachment: Codable, Hashable, Sendable {
        /// The story's.
        package var id: String
        /// On this machine, in full.
        package var path: String

        package init(_ id: String, path: String) {
            self.id = id
            self.path = path
        }
    }

    package struct Saving: Codable, Hashable, Sendable {
        /// The medium's, in full.
        package var medium: String
        /// On this machine, in full; nothing is there yet.
        package var path: String
        /// The small picture in place of the medium; nil counts as false.
        package var thumbnail: Bool?

        package init(_ medium: String, path: String, thumbnail: Bool? = nil) {
            self.medium = medium
            self.path = path
            self.thumbnail = thumbnail
        }
    }

    package struct Import: Codable, Hashable, Sendable {
        /// A file or a folder on this machine, in full.
        package var path: String
        /// `tandem`, `dayOne`, `joplin` or `markdown`; nil: as it looks.
        package var format: String?

        package init(path: String, format: String? = nil) {
            self.path = path
            self.format = format
        }
    }

    package struct Export: Codable, Hashable, Sendable {
        /// A folder on this machine, in full, which is made where it is missing.
        package var folder: String

        package init(folder: String) { self.folder = folder }
    }
}
