import Crypto
import Kernel

/// A section in the manifest's list. Source: `docs/protocol.md` 2.13.
public struct ManifestSection: Codable, Hashable, Sendable {
    /// Sections of a package: a device has a dozen.
    static let maximumCount = 64

    public let name: String
    public let version: Int
    /// Its entries, at least one.
    public let files: Int
    /// Bytes of these together.
    public let bytes: UInt64
    /// Of a line for each entry, in their order: the path below the section, a NUL, the size, a NUL, the entry's SHA-256 and a line feed.
    public let sha256: String

    var isSound: Bool {
        BackupSection.isName(name) && version > 0 && files > 0 && Hexadecimal.decode(sha256)?.count == 32
    }
}

/// The sum of a section's entries while they are read or written.
struct SectionSum {
    private var hash = SHA256()
    private(set) var files = 0
    private(set) var bytes: UInt64 = 0

    mutating func add(_ path: String, size: UInt64, sha256: some Sequence<UInt8>) {
        hash.update(data: Array("\(path)\0\(size)\0\(Hexadecimal.encode(sha256))\n".utf8))
        files += 1
        bytes += size
    }

    func entry(named name: String, version: Int) -> ManifestSection {
        ManifestSection(
            name: name,
            version: version,
            files: files,
            bytes: bytes,
            sha256: Hexadecimal.encode(hash.finalize())
        )
    }
}
