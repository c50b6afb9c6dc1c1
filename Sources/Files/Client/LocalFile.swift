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
        guard fstat(descriptor, &found) == 0 else { throw FileError(errno: errno, path: path) }
        guard let status = FileStatus(found) else { throw .unsupported("A file of this kind") }
        return status
    }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try SystemFile.read(descriptor, at: offset, count: count, path: path)
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        try SystemFile.write(bytes, to: descriptor, at: offset, path: path)
    }

    /// Room for the whole file now, where the system can promise it.
    func allocate(_ size: Int64) throws(FileError) {
        guard size > 0 else { return }
        #if canImport(Glibc)
            let failure = posix_fallocate(descriptor, 0, off_t(size))
            guard failure == 0 else { throw FileError(errno: failure, path: path, size: size) }
        #else
            guard ftruncate(descriptor, off_t(size)) == 0 else {
                throw FileError(errno: errno, path: path, size: size)
            }
        #endif
    }

    func synchronize() throws(FileError) { try SystemFile.synchronize(descriptor, path: path) }

    func finish(
        as target: [UInt8],
        replacing: Bool,
        permissions: UInt32?,
        modifiedMilliseconds: Int64?
    ) throws(FileError) {
        try SystemFile.finish(
            descriptor,
            permissions: permissions,
            modifiedMilliseconds: modifiedMilliseconds,
            path: path
        )
        try folder.finish(name, as: target, replacing: replacing)
    }

    func discard() throws(FileError) { try folder.remove(name) }
}

extension FileStatus {
    /// A file system may hold any number here; what does not fit becomes the nearest that does.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let whole = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !whole.overflow else { return time.tv_sec < 0 ? .min : .max }
        let sum = whole.partialValue.addingReportingOverflow(Int64(time.tv_nsec))
        return sum.overflow ? .max : sum.partialValue
    }

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
            modifiedNanoseconds: Self.nanoseconds(modified),
            accessedNanoseconds: Self.nanoseconds(accessed),
            createdNanoseconds: nil,
            permissions: UInt32(found.st_mode) & 0o7777,
            inode: UInt64(found.st_ino),
            device: UInt64(truncatingIfNeeded: found.st_dev)
        )
    }
}
