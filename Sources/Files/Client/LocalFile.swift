import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file of the phone.
final class LocalFile: PartialFile, SystemFile {
    let number: Int32
    private let name: [UInt8]
    private let folder: LocalFolder
    let path: String

    var side: FileSide { .thisDevice }

    /// Takes the descriptor over.
    init(_ number: Int32, name: [UInt8], folder: LocalFolder, path: String) {
        self.number = number
        self.name = name
        self.folder = folder
        self.path = path
    }

    deinit { close(number) }

    func holes() -> ByteRanges { systemHoles() }

    func status() throws(FileError) -> FileStatus {
        var found = stat()
        guard fstat(number, &found) == 0 else { throw FileError(errno: errno, path: path, on: .thisDevice) }
        guard let status = FileStatus(found) else { throw .unsupported("A file of this kind") }
        return status
    }

    /// Reserves room for all of the file but its holes now, where the system can promise it.
    func allocate(_ size: Int64, holes: ByteRanges) throws(FileError) {
        #if canImport(Glibc)
            for range in holes.missing(in: 0..<size) {
                let failure = posix_fallocate(number, off_t(range.lowerBound), off_t(range.count))
                guard failure == 0 else { throw FileError(errno: failure, path: path, size: size, on: .thisDevice) }
            }
        #endif
        guard ftruncate(number, off_t(size)) == 0 else {
            throw FileError(errno: errno, path: path, size: size, on: .thisDevice)
        }
    }

    func isInPlace() throws(FileError) -> Bool {
        let own = try status()
        guard let named = try folder.status(of: name) else { return false }
        return (named.device, named.inode) == (own.device, own.inode)
    }

    func finish(
        as target: [UInt8],
        replacing: Bool,
        permissions: UInt32?,
        modifiedMilliseconds: Int64?
    ) throws(FileError) {
        try finish(permissions: permissions, mask: folder.mask, modifiedMilliseconds: modifiedMilliseconds)
        try folder.finish(name, as: target, replacing: replacing)
    }

    func discard() throws(FileError) { try folder.remove(name) }
}
