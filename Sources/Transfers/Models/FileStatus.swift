/// A file's metadata, as `stat` reports it.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    /// In bytes.
    package var size: Int64
    /// When the content changed last.
    package var modified: FileTime
    /// When it was read last.
    package var accessed: FileTime
    /// Nil where the file system does not keep it.
    package var created: FileTime?
    /// The low twelve bits of a POSIX mode.
    package var permissions: UInt32
    /// With ``device``, tells whether two names are the same file.
    package var inode: UInt64
    package var device: UInt64

    package init(
        kind: FileKind,
        size: Int64,
        modified: FileTime,
        accessed: FileTime,
        created: FileTime?,
        permissions: UInt32,
        inode: UInt64,
        device: UInt64
    ) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.accessed = accessed
        self.created = created
        self.permissions = permissions
        self.inode = inode
        self.device = device
    }

    /// Another text when the content may be another: a transfer that goes on compares it.
    package var version: String {
        "\(String(device, radix: 36))-\(String(inode, radix: 36))-\(size)-\(modified.text)"
    }
}
