/// A medium whose file is not there or cannot be used.
package struct BrokenMedium: Hashable, Sendable {
    package var mediaId: String
    package var fileName: String
    package var reason: BrokenReason
    /// The story that shows it; nil for none.
    package var storyId: String?

    init(_ medium: Medium, _ fileName: String, _ reason: BrokenReason) {
        mediaId = medium.id
        self.fileName = fileName
        self.reason = reason
        storyId = medium.storyId
    }
}
