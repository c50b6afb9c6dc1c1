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

    /// The largest of the file's holes, at most ``FileHoles/limit``, in whole blocks of ``FileHoles/block`` bytes. A file system that keeps none
    /// says that there are none.
    package func systemHoles() -> ByteRanges {
        var holes: [Range<Int64>] = []
        let size = Int64(lseek(number, 0, SEEK_END))
        var position: Int64 = 0
        // A file of many small pieces is not looked at to its end.
        for _ in 0..<16 * FileHoles.limit where position < size {
            let start = Int64(lseek(number, off_t(position), Whence.hole))
            guard start >= 0, start < size else { break }
            // ENXIO: nothing but a hole follows.
            let data = Int64(lseek(number, off_t(start), Whence.data))
            guard data >= 0 || errno == ENXIO else { break }
            position = data < 0 ? size : data
            let first = (start + FileHoles.block - 1) / FileHoles.block * FileHoles.block
            let end = position == size ? size : position / FileHoles.block * FileHoles.block
            if first < end { holes.append(first..<end) }
        }
        if holes.count > FileHoles.limit {
            holes = Array(holes.sorted { $0.count > $1.count }.prefix(FileHoles.limit))
        }
        return holes.reduce(into: ByteRanges()) { $0.insert($1) }
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
    ///
    /// - Parameter mask: Of this device's person, see ``ArrivingMode``.
    package func finish(permissions: UInt32?, mask: UInt32, modifiedMilliseconds: Int64?) throws(FileError) {
        try setAttributes(permissions: permissions, mask: mask, modifiedMilliseconds: modifiedMilliseconds)
        guard fsync(number) == 0 else { throw FileError(errno: errno, path: path, on: side) }
    }

    /// Gives a whole file its permissions and its date, which need not be on disk when this returns.
    package func setAttributes(permissions: UInt32?, mask: UInt32, modifiedMilliseconds: Int64?) throws(FileError) {
        guard fchmod(number, mode_t(ArrivingMode.file(permissions, mask: mask))) == 0 else {
            throw FileError(errno: errno, path: path, on: side)
        }
        guard let modifiedMilliseconds else { return }
        let moment = FileTime(milliseconds: modifiedMilliseconds)
        let time = timespec(tv_sec: Int(moment.seconds), tv_nsec: Int(moment.nanoseconds))
        guard futimens(number, [time, time]) == 0 else { throw FileError(errno: errno, path: path, on: side) }
    }
}

/// What `lseek` looks for, by the numbers that the system's headers give it.
private enum Whence {
    #if canImport(Glibc)
        static let data: Int32 = 3
        static let hole: Int32 = 4
    #else
        static let hole: Int32 = 3
        static let data: Int32 = 4
    #endif
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
