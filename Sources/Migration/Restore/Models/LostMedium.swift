/// A medium whose picture or video is not there after a restore. Its record is.
package struct LostMedium: Hashable, Codable, Sendable {
    package var mediaID: String
    package var fileName: String
    /// The manifest's word, for example `FILE_NOT_FOUND`; a newer app may use others, which are kept.
    package var reason: String
    /// The story that shows it, and when that happened in milliseconds since 1970-01-01T00:00:00Z; nil where no story does.
    package var storyID: String?
    package var storyMilliseconds: Int64?

    package init(
        mediaID: String,
        fileName: String,
        reason: String,
        storyID: String? = nil,
        storyMilliseconds: Int64? = nil
    ) {
        self.mediaID = mediaID
        self.fileName = fileName
        self.reason = reason
        self.storyID = storyID
        self.storyMilliseconds = storyMilliseconds
    }

    enum CodingKeys: String, CodingKey {
        case mediaID = "mediaId"
        case fileName
        case reason
        case storyID = "storyId"
        case storyMilliseconds
    }
}
