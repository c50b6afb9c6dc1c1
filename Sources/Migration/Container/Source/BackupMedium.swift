/// A file that a backup takes.
public struct BackupMedium: Codable, Hashable, Sendable {
    /// Where it lies below the folder of media, as `Images/2026/01/x.heic`.
    public let path: String
    /// Of the record that names it; nil for a file that none names.
    public let mediaID: String?
    /// Bytes that the file has to have; nil where no record says so.
    public let size: UInt64?
    /// What was computed when the file was saved; nil where it has to be computed now.
    public let digest: MediumDigest?

    public init(path: String, mediaID: String?, size: UInt64?, digest: MediumDigest?) {
        self.path = path
        self.mediaID = mediaID
        self.size = size
        self.digest = digest
    }
}
