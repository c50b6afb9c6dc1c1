package import Kernel

/// A picture, a video or another file of the journal. Its bytes are encrypted in a file of the generation's folder `Media`.
package struct Medium: Hashable, Sendable, Identifiable {
    package var id: String
    package var kind: MediumKind
    /// `UUID.heic` and the like: one component of a path.
    package var fileName: String
    package var thumbnailFileName: String?
    /// Names the key of both files, which is derived from the master key.
    package var keyId: String
    /// Bytes of the encrypted file.
    package var fileSize: Int64
    /// Pixels; 0 where it is not known.
    package var width: Int64 = 0
    /// Pixels; 0 where it is not known.
    package var height: Int64 = 0
    /// Seconds; 0 for a picture.
    package var duration: Double = 0
    /// Milliseconds since 1970.
    package var createdAt: Int64
    package var storyId: String?
    /// Where the file lies below `Media`; nil where only its name is known.
    package var path: MediaPath?
    package var thumbnailPath: MediaPath?
    /// The SHA-256 of the encrypted file, in hexadecimal digits, taken when it was saved; nil for records of other programs.
    package var sha256: String?
    /// The CRC-32 of the same bytes, as a zip has it.
    package var crc32: UInt32?
    /// Bytes of the encrypted thumbnail.
    package var thumbnailSize: Int64?
    package var thumbnailSHA256: String?
    package var thumbnailCRC32: UInt32?
    /// Why the file is not there; nil where it is.
    package var broken: BrokenReason?
    /// Members of its record that this version does not know.
    package var extra: [String: JSONValue] = [:]
}
