/// A file or folder by device and inode: the same one under whatever path it is reached.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}
