import Transfers

#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of the system's, made when it is not there, for this user only. A link in its place is not followed.
final class FileSpoolFile: SpoolFile, SystemFile {
    let number: Int32
    let path: String
    var side: FileSide { .thisDevice }

    /// - Throws: `FileError`.
    init(_ path: String) throws {
        self.path = path
        number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw FileError(errno: errno, path: path, on: .thisDevice) }
    }

    deinit { _ = close(number) }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        try (self as any SystemFile).read(at: offset, count: count)
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws {
        do {
            try write(bytes[...], at: offset)
        } catch FileError.diskFull(let needed, _) {
            throw MigrationTransferError.diskFull(neededBytes: needed)
        }
    }

    func synchronize() throws {
        do {
            try (self as any SystemFile).synchronize()
        } catch FileError.diskFull(let needed, _) {
            throw MigrationTransferError.diskFull(neededBytes: needed)
        }
    }

    func truncate(to size: Int64) throws {
        guard ftruncate(number, off_t(size)) == 0 else { throw FileError(errno: errno, path: path, on: .thisDevice) }
    }

    func release(_ range: Range<Int64>) throws {
        let failure = punch(range)
        guard failure != 0, failure != EOPNOTSUPP, failure != ENOSYS else { return }
        throw FileError(errno: failure, path: path, on: .thisDevice)
    }

    /// Whether the disk takes the space of bytes in the middle of a file back.
    var givesSpaceBack: Bool { punch(0..<4096) == 0 }

    /// - Returns: 0, or the reason.
    private func punch(_ range: Range<Int64>) -> Int32 {
        #if canImport(Glibc)
            return -tandem_punch(number, range.lowerBound, range.upperBound - range.lowerBound)
        #else
            return EOPNOTSUPP
        #endif
    }

    /// Returns once the names in a folder are on the disk.
    static func synchronizeFolder(_ path: String) throws {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FileError(errno: errno, path: path, on: .thisDevice) }
        defer { _ = close(folder) }
        guard fsync(folder) == 0 || errno == EINVAL else { throw FileError(errno: errno, path: path, on: .thisDevice) }
    }

    /// Bytes that the disk at `path` has left for this user.
    static func availableBytes(at path: String) throws -> Int64 {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { throw FileError(errno: errno, path: path, on: .thisDevice) }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }
}
