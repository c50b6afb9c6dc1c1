/// The facts of a file that was written.
struct StoredFile: Hashable, Sendable {
    /// Bytes.
    var size: Int64
    /// Hexadecimal digits.
    var sha256: String
    var crc32: UInt32
}
