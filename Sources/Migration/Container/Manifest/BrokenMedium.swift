/// A medium that could not be taken into a package. The backup goes on without it and says so.
public struct BrokenMedium: Codable, Hashable, Sendable {
    public enum Reason: String, Codable, Hashable, Sendable {
        case fileNotFound = "FILE_NOT_FOUND"
        case readError = "READ_ERROR"
        case sizeMismatch = "SIZE_MISMATCH"
        case hashMismatch = "HASH_MISMATCH"
        case empty = "EMPTY"
    }

    public let mediaId: String
    public let fileName: String
    /// One of ``Reason``; a newer writer may name others, which are kept as they are.
    public let reason: String

    public init(mediaId: String, fileName: String, reason: Reason) {
        self.mediaId = mediaId
        self.fileName = fileName
        self.reason = reason.rawValue
    }
}
