import FilesHost
import Transfers

/// A folder's files that say where they are about to be read or, while they arrive, written.
struct HookedAccess: FileAccess {
    private struct HookedFile: ReadableFile {
        let file: any ReadableFile
        let hook: @Sendable (Int64) -> Void

        func status() throws(FileError) -> FileStatus { try file.status() }

        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
            hook(offset)
            return try file.read(at: offset, count: count)
        }
    }

    private struct HookedPart: PartialFile {
        let part: any PartialFile
        let hook: @Sendable (Int64) -> Void

        func status() throws(FileError) -> FileStatus { try part.status() }
        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { try part.read(at: offset, count: count) }

        func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
            hook(offset)
            try part.write(bytes, at: offset)
        }

        func synchronize() throws(FileError) { try part.synchronize() }
        func isInPlace() throws(FileError) -> Bool { try part.isInPlace() }
        func finish(as name: [UInt8], replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?)
            throws(FileError)
        {
            try part.finish(
                as: name,
                replacing: replacing,
                permissions: permissions,
                modifiedMilliseconds: modifiedMilliseconds
            )
        }
        func discard() throws(FileError) { try part.discard() }
    }

    private let access: any FileAccess
    private let hook: @Sendable (Int64) -> Void

    init(_ access: any FileAccess, hook: @escaping @Sendable (Int64) -> Void) {
        (self.access, self.hook) = (access, hook)
    }

    var roots: FileRoots { access.roots }

    func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile {
        HookedFile(file: try access.openFile(location), hook: hook)
    }

    func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus {
        try access.status(of: location, followingLink: followingLink)
    }
    func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder { try access.openFolder(location) }
    func makeFolder(_ location: FileLocation, withParents: Bool, permissions: UInt32?) throws(FileError) -> Bool {
        try access.makeFolder(location, withParents: withParents, permissions: permissions)
    }
    func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError) {
        try access.move(source, to: target, replacing: replacing)
    }
    func trash(_ location: FileLocation) throws(FileError) { try access.trash(location) }
    func remove(_ location: FileLocation, recursively: Bool) throws(FileError) {
        try access.remove(location, recursively: recursively)
    }
    func checkTarget(_ location: FileLocation) throws(FileError) { try access.checkTarget(location) }
    func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64, holes: ByteRanges) throws(FileError)
        -> any PartialFile
    {
        HookedPart(part: try access.makePart(name, in: folder, size: size, holes: holes), hook: hook)
    }
    func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile {
        HookedPart(part: try access.openPart(name, in: folder), hook: hook)
    }
    func openArrivals(_ folder: FileLocation) throws(FileError) -> any ArrivalFolder {
        try access.openArrivals(folder)
    }
}
