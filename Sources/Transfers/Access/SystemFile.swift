#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is open under a number of the system's.
package protocol SystemFile: Sendable {
    var number: Int32 { get }
    /// For errors, as the person knows it.
    var path: String { get }
    var side: FileSide { get }
}

/// Calls on open files, for every kind of them: a signal may interrupt a call, and one call may move only a part.
extension SystemFile {
    /// Reads as many bytes as there are, up to `count`.
    package func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let got = pread(
                    number,
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
        guard failure == 0 else { throw FileError(errno: failure, path: path, on: side) }
        return bytes
    }

    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = pwrite(
                    number,
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
        guard failure == 0 else { throw FileError(errno: failure, path: path, size: Int64(bytes.count), on: side) }
    }

    /// Returns once everything written to the file is on disk.
    package func synchronize() throws(FileError) {
        #if canImport(Glibc)
            let result = fdatasync(number)
        #else
            let result = fsync(number)
        #endif
        guard result == 0 else { throw FileError(errno: errno, path: path, on: side) }
    }

    /// Gives a whole file its permissions and its date; all of it is on disk when this returns.
    package func finish(permissions: UInt32?, modifiedMilliseconds: Int64?) throws(FileError) {
        try setAttributes(permissions: permissions, modifiedMilliseconds: modifiedMilliseconds)
        guard fsync(number) == 0 else { throw FileError(errno: errno, path: path, on: side) }
    }

    /// Gives a whole file its permissions and its date, which need not be on disk when this returns.
    package func setAttributes(permissions: UInt32?, modifiedMilliseconds: Int64?) throws(FileError) {
        // Never more than the owner could give it; set-user-id and its kind are not for a peer to set.
        guard fchmod(number, mode_t((permissions ?? 0o644) & 0o777)) == 0 else {
            throw FileError(errno: errno, path: path, on: side)
        }
        guard let modifiedMilliseconds else { return }
        let moment = FileTime(milliseconds: modifiedMilliseconds)
        let time = timespec(tv_sec: Int(moment.seconds), tv_nsec: Int(moment.nanoseconds))
        guard futimens(number, [time, time]) == 0 else { throw FileError(errno: errno, path: path, on: side) }
    }
}

extension FileError {
    /// The error for a system call's `errno`.
    package init(errno number: Int32, path: String, size: Int64 = 0, on side: FileSide = .computer) {
        self =
            switch number {
            case ENOENT: .notFound(path)
            case EXDEV: .outside(path)
            case ENOTDIR: .notAFolder(path)
            case EISDIR: .isAFolder(path)
            case EEXIST: .exists(path)
            case ENOTEMPTY: .folderNotEmpty(path)
            case EACCES, EPERM, EROFS: .denied(path, on: side)
            case ELOOP: .linkLoop(path)
            case ENAMETOOLONG: .badName(path)
            case ENOSPC, EDQUOT, EFBIG: .diskFull(needed: size, on: side)
            case ENXIO, ENODEV: .notOrdinary(path, .socket)
            case ENOSYS: .unsupported("Sharing files (it needs Linux 5.6 or newer)")
            default: .system(path, reason: String(cString: strerror(number)))
            }
    }
}
