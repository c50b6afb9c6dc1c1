/// A file or folder by device and inode: the same one under every path that leads to it.
struct InodeIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}
