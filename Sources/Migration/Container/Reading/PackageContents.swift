/// What was read of a whole package.
public struct PackageContents: Sendable {
    public let manifest: Manifest
    /// Of the bytes as they came, to be compared with what the sender announced; empty where the reader was not to compute them.
    public let digests: PackageDigests
    public let recordCounts: [MigrationEntity: Int]
    /// Whether the package lists its files' checksums. Without them, files are proved by the package's seals and the archive's checksums.
    public let hasFileList: Bool
}
