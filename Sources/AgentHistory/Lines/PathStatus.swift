#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The status of a path or an open file, as `stat` reports it.
struct PathStatus {
    enum Kind { case file, folder, link, other }

    let kind: Kind
    let identity: FileIdentity

    private init(_ status: stat) {
        kind =
            switch status.st_mode & mode_t(S_IFMT) {
            case mode_t(S_IFREG): .file
            case mode_t(S_IFDIR): .folder
            case mode_t(S_IFLNK): .link
            default: .other
            }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        // A file system may hold any number of seconds.
        let (milliseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modifiedMilliseconds: overflow ? 0 : milliseconds &+ Int64(time.tv_nsec) / 1_000_000
        )
    }

    /// Nil with `errno` set.
    static func of(path: String, followingLinks: Bool) -> PathStatus? {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        return PathStatus(status)
    }

    static func of(descriptor: Int32) -> PathStatus? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return PathStatus(status)
    }
}

extension FileIdentity {
    /// The identity of the ordinary file at a path; nil for anything else, and where nothing is.
    package static func ofFile(at path: String) -> FileIdentity? {
        guard let status = PathStatus.of(path: path, followingLinks: false), status.kind == .file else { return nil }
        return status.identity
    }
}

extension AgentHistoryError {
    /// The error for an `errno` of a system call on a path.
    init(errno number: Int32, path: String) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .notFound(path: path)
            case EACCES, EPERM: .denied(path: path)
            case ELOOP: .symbolicLink(path: path)
            case EISDIR, ENXIO, ENODEV: .notOrdinary(path: path)
            default: .system(path: path, reason: String(cString: strerror(number)))
            }
    }
}
