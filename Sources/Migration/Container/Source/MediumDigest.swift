/// The checksums of a file that a package needs before it is sent.
public struct MediumDigest: Codable, Hashable, Sendable {
    /// 32 bytes.
    public let sha256: [UInt8]
    public let crc32: UInt32

    public init(sha256: [UInt8], crc32: UInt32) {
        self.sha256 = sha256
        self.crc32 = crc32
    }
}
