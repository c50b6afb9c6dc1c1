package import Kernel

/// An entry of the journal. All times are milliseconds since 1970.
package struct Story: Hashable, Sendable, Identifiable {
    package var id: String
    package var title: String?
    /// Markdown. A medium of the journal stands in it as `media://ID`.
    package var content: String?
    /// ``content`` without its marks, for lists and for searching.
    package var plainText: String?
    package var createdAt: Int64
    package var updatedAt: Int64
    /// When it happened.
    package var happenedAt: Int64
    /// Deleted stories stay, and can be restored. The record's member is `isDeleted`.
    package var isRemoved = false
    /// A word or a number, as the record has it.
    package var syncStatus: JSONValue = Story.unsynced
    package var mood: String?
    package var locationName: String?
    package var locationAddress: String?
    package var locationCity: String?
    /// Nil where none was measured.
    package var place: StoryPlace?
    /// Members of its record that this version does not know.
    package var extra: [String: JSONValue] = [:]

    /// The status of a story that no server has.
    static let unsynced: JSONValue = "pending"
}
