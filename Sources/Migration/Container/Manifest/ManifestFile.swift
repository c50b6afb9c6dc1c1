import Kernel

/// A medium's file in the package.
public struct ManifestFile: Codable, Hashable, Sendable {
    /// The entry's name in the archive.
    public let path: String
    /// Bytes of the sealed file.
    public let size: UInt64
    /// Lower-case hexadecimal digits.
    public let sha256: String

    public init(path: String, size: UInt64, sha256: String) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

extension ManifestFile {
    init(_ file: PackagePlan.File) {
        self.init(path: file.entryPath, size: file.status.size, sha256: Hexadecimal.encode(file.digest.sha256))
    }
}
