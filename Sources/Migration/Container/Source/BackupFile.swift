/// A file of a backup's source that is open for reading.
public protocol BackupFile: Sendable {
    /// - Throws: ``BackupFileError``.
    func status() throws -> BackupFileStatus

    /// - Returns: The bytes at `offset`, fewer at the file's end.
    /// - Throws: ``BackupFileError``.
    func read(at offset: UInt64, count: Int) throws -> [UInt8]
}

/// By what a file is known to be the one that it was.
public struct BackupFileStatus: Codable, Hashable, Sendable {
    public let size: UInt64
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let modified: Int64
    public let inode: UInt64

    public init(size: UInt64, modified: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.inode = inode
    }
}

/// Why a file is not taken into a package. The backup goes on without it.
public enum BackupFileError: Error, Hashable, Sendable {
    case notFound
    case unreadable
}
