package import Kernel

/// A category of stories; categories form trees.
package struct JournalCategory: Hashable, Sendable, Identifiable {
    package var id: String
    package var name: String
    package var nameEn: String?
    /// `#RRGGBB` as a rule; any short text survives.
    package var colorHex = "#007AFF"
    /// 1 for a category at the top. Follows from ``parentId``.
    package var level = 1
    package var parentId: String?
    package var iconName = "folder"
    /// `system` or `custom`; other words survive.
    package var iconType = "system"
    /// The bytes of a picture.
    package var customIcon: [UInt8]?
    package var sortOrder: Int64 = 0
    /// Milliseconds since 1970.
    package var createdAt: Int64
    /// Members of its record that this version does not know.
    package var extra: [String: JSONValue] = [:]
}
