import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file of the phone.
final class LocalFile: PartialFile {
    private let descriptor: Int32
    private let name: [UInt8]
    private let folder: LocalFolder
    private let path: String

    /// Takes the descriptor over.
    init(_ descriptor: Int32, name: [UInt8], folder: LocalFolder, path: String) {
        self.descriptor = descriptor
        self.name = name
        self.folder = folder
        self.path = path
    }

    deinit { close(descriptor) }

    func status() throws(FileError) -> FileStatus {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw FileError(localErrno: errno, path: path) }
        guard let status = FileStatus(found) else { throw .unsupported("A file of this kind") }
        return status
    }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor,
                    buffer.baseAddress.map { $0 + filled },
                    count - filled,
                    off_t(offset) + off_t(filled)
                )
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard failure == 0 else { throw FileError(localErrno: failure, path: path) }
        return bytes
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = pwrite(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    buffer.count - written,
                    off_t(offset) + off_t(written)
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    failure = count < 0 ? errno : EIO
                    return
                }
                written += count
            }
        }
        guard failure == 0 else { throw FileError(localErrno: failure, path: path, size: Int64(bytes.count)) }
    }

    /// Room for the whole file now, where the system can promise it.
    func allocate(_ size: Int64) throws(FileError) {
        guard size > 0 else { return }
        #if canImport(Glibc)
            let failure = posix_fallocate(descriptor, 0, off_t(size))
            guard failure == 0 else { throw FileError(localErrno: failure, path: path, size: size) }
        #else
            guard ftruncate(descriptor, off_t(size)) == 0 else {
                throw FileError(localErrno: errno, path: path, size: size)
            }
        #endif
    }

    func synchronize() throws(FileError) {
        #if canImport(Glibc)
            let result = fdatasync(descriptor)
        #else
            let result = fsync(descriptor)
        #endif
        guard result == 0 else { throw FileError(localErrno: errno, path: path) }
    }

    func finish(
        as target: [UInt8],
        replacing: Bool,
        permissions: UInt32?,
        modifiedMilliseconds: Int64?
    ) throws(FileError) {
        guard fchmod(descriptor, mode_t((permissions ?? 0o644) & 0o777)) == 0 else {
            throw FileError(localErrno: errno, path: path)
        }
        if let modifiedMilliseconds {
            let time = timespec(
                tv_sec: Int(modifiedMilliseconds / 1000),
                tv_nsec: Int(modifiedMilliseconds % 1000) * 1_000_000
            )
            guard futimens(descriptor, [time, time]) == 0 else { throw FileError(localErrno: errno, path: path) }
        }
        guard fsync(descriptor) == 0 else { throw FileError(localErrno: errno, path: path) }
        try folder.finish(name, as: target, replacing: replacing)
    }

    func discard() throws(FileError) { try folder.remove(name) }
}

extension FileStatus {
    init?(_ found: stat) {
        guard let kind = FileKind(mode: UInt32(found.st_mode)) else { return nil }
        #if canImport(Glibc)
            let (modified, accessed) = (found.st_mtim, found.st_atim)
        #else
            let (modified, accessed) = (found.st_mtimespec, found.st_atimespec)
        #endif
        self.init(
            kind: kind,
            size: Int64(found.st_size),
            modifiedNanoseconds: Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec),
            accessedNanoseconds: Int64(accessed.tv_sec) * 1_000_000_000 + Int64(accessed.tv_nsec),
            createdNanoseconds: nil,
            permissions: UInt32(found.st_mode) & 0o7777,
            inode: UInt64(found.st_ino),
            device: UInt64(truncatingIfNeeded: found.st_dev)
        )
    }
}

extension FileError {
    /// What a call on this device said.
    init(localErrno number: Int32, path: String, size: Int64 = 0) {
        self =
            switch number {
            case ENOENT: .notFound(path)
            case ENOTDIR: .notAFolder(path)
            case EISDIR: .isAFolder(path)
            case EEXIST: .exists(path)
            case EACCES, EPERM, EROFS: .denied(path)
            case ELOOP: .linkLoop(path)
            case ENAMETOOLONG: .badName(path)
            case ENOSPC, EDQUOT, EFBIG: .diskFull(needed: size)
            default: .system(path, reason: String(cString: strerror(number)))
            }
    }
}
