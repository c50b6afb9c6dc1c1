/// What the system says about a file.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    /// In bytes.
    package var size: Int64
    /// When the content changed last, since 1970-01-01T00:00:00Z.
    package var modifiedNanoseconds: Int64
    /// When it was read last, since 1970-01-01T00:00:00Z.
    package var accessedNanoseconds: Int64
    /// Nil where the file system does not keep it.
    package var createdNanoseconds: Int64?
    /// The low twelve bits of a POSIX mode.
    package var permissions: UInt32
    /// With ``device``, tells whether two names are the same file.
    package var inode: UInt64
    package var device: UInt64

    package init(
        kind: FileKind,
        size: Int64,
        modifiedNanoseconds: Int64,
        accessedNanoseconds: Int64,
        createdNanoseconds: Int64?,
        permissions: UInt32,
        inode: UInt64,
        device: UInt64
    ) {
        self.kind = kind
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.accessedNanoseconds = accessedNanoseconds
        self.createdNanoseconds = createdNanoseconds
        self.permissions = permissions
        self.inode = inode
        self.device = device
    }

    /// Another text when the content may be another: a transfer that goes on compares it.
    package var version: String {
        "\(String(device, radix: 36))-\(String(inode, radix: 36))-\(size)-\(String(modifiedNanoseconds, radix: 36))"
    }
}
