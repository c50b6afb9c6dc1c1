import Foundation
import Kernel

/// Categories by their names, for an import that finds the same few for thousands of stories. For one transaction.
struct ImportedCategories {
    private struct Place: Hashable {
        let parent: String?
        /// In small letters.
        let name: String
    }

    private let now: Int64
    private var places: [Place: JournalCategory] = [:]
    private var ids: Set<String> = []

    /// - Parameter now: Milliseconds since 1970, for categories that are made.
    init(_ writing: JournalWriting, now: Int64) throws {
        self.now = now
        for category in try writing.reading.categories() { note(category) }
    }

    private mutating func note(_ category: JournalCategory) {
        ids.insert(category.id)
        let place = Place(parent: category.parentId, name: category.name.lowercased())
        // The first one in their order is the one that is meant, as where a person names it.
        if places[place] == nil { places[place] = category }
    }

    /// The names of a category's path as they are kept. One of white space alone is no name; a path without any is no category.
    ///
    /// - Throws: ``JournalError/tooLong(_:limit:)``.
    static func names(_ path: [String]) throws(JournalError) -> [String] {
        var names: [String] = []
        for name in path.prefix(JournalLimits.depth) where name.contains(where: { !$0.isWhitespace }) {
            names.append(try JournalRepository.categoryName(name))
        }
        return names
    }

    /// Finds a category by names from the top down, and makes what is missing.
    ///
    /// - Parameter names: As ``names(_:)`` gives them, at least one.
    /// - Returns: Its id.
    mutating func find(_ names: [String], _ writing: JournalWriting) throws -> String {
        var parent: JournalCategory?
        for name in names {
            if let found = places[Place(parent: parent?.id, name: name.lowercased())] {
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
            // Renamed here since an earlier import made it.
            if ids.contains(category.id) { category.id = UUID.randomText() }
            try writing.insert(category)
            note(category)
            parent = category
        }
        guard let parent else { throw JournalError.blank }
        return parent.id
    }
}
