import Kernel

/// The keys that records have, for reading their texts. A record may have others.
enum RecordKeys {
    private static let settings = JSONMemberList.Keys(["key", "type", "updatedAt", "updatedAtMs", "value"])
    private static let categories = JSONMemberList.Keys([
        "colorHex", "createdAt", "createdAtMs", "customIconData", "iconName", "iconType", "id", "level", "name",
        "nameEn", "parentId", "sortOrder",
    ])
    private static let stories = JSONMemberList.Keys([
        "content", "createdAt", "createdAtMs", "horizontalAccuracy", "id", "isDeleted", "latitude", "locationAddress",
        "locationCity", "locationName", "longitude", "mood", "plainTextContent", "syncStatus", "timestamp",
        "timestampMs", "title", "updatedAt", "updatedAtMs", "verticalAccuracy",
    ])
    private static let media = JSONMemberList.Keys([
        "crc32", "createdAt", "createdAtMs", "duration", "encryptionKeyId", "fileName", "fileSize", "height", "id",
        "relativePath", "sha256", "storyId", "thumbnailCrc32", "thumbnailFileName", "thumbnailFileSize",
        "thumbnailRelativePath", "thumbnailSha256", "type", "width",
    ])
    private static let relations = JSONMemberList.Keys(["categoryId", "storyId"])

    static func keys(of kind: RecordKind) -> JSONMemberList.Keys {
        switch kind {
        case .settings: settings
        case .categories: categories
        case .stories: stories
        case .media: media
        case .relations: relations
        }
    }
}
