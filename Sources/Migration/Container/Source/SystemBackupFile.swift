#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of the file system, for a backup to read.
public final class SystemBackupFile: BackupFile {
    private let descriptor: Int32

    /// - Throws: ``BackupFileError``; anything but a plain file, a link too, is unreadable.
    public init(path: String) throws(BackupFileError) {
        // A pipe would wait for its writer without the last flag.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .notFound : .unreadable }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .unreadable
        }
    }

    deinit { close(descriptor) }

    public func status() throws -> BackupFileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let size = UInt64(exactly: status.st_size) else {
            throw BackupFileError.unreadable
        }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return BackupFileStatus(
            size: size,
            modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            inode: UInt64(status.st_ino)
        )
    }

    public func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        guard let offset = off_t(exactly: offset), count >= 0 else { throw BackupFileError.unreadable }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let taken = pread(descriptor, start + filled, count - filled, offset + off_t(filled))
                if taken < 0, errno == EINTR { continue }
                guard taken >= 0 else { throw BackupFileError.unreadable }
                if taken == 0 { return }
                filled += taken
            }
        }
    }
}
