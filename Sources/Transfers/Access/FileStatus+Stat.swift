#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

extension FileStatus {
    /// Nil for a kind of thing that is not known.
    package init?(_ found: stat) {
        guard let kind = FileKind(mode: UInt32(found.st_mode)) else { return nil }
        #if canImport(Glibc)
            let (modified, accessed) = (found.st_mtim, found.st_atim)
        #else
            let (modified, accessed) = (found.st_mtimespec, found.st_atimespec)
        #endif
        self.init(
            kind: kind,
            size: Int64(found.st_size),
            modified: FileTime(seconds: Int64(modified.tv_sec), nanoseconds: Int64(modified.tv_nsec)),
            accessed: FileTime(seconds: Int64(accessed.tv_sec), nanoseconds: Int64(accessed.tv_nsec)),
            created: nil,
            permissions: UInt32(found.st_mode) & 0o7777,
            inode: UInt64(found.st_ino),
            device: UInt64(truncatingIfNeeded: found.st_dev)
        )
    }
}
