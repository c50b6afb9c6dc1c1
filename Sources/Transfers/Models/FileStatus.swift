/// What the system says about a file.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    package var size: Int64
    package var modifiedNanoseconds: Int64
    package var accessedNanoseconds: Int64
    /// Nil where the file system does not keep it.
    package var createdNanoseconds: Int64?
    package var permissions: UInt32
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
