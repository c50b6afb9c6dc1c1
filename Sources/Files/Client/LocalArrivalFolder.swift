import Transfers

/// A folder of this device that many small files come into.
struct LocalArrivalFolder: ArrivalFolder {
    private let folder: LocalFolder

    init(_ folder: LocalFolder) { self.folder = folder }

    func status(of name: [UInt8]) throws(FileError) -> FileStatus? { try folder.status(of: name) }

    /// The person may do everything here that the system lets them.
    func refusals(of names: [[UInt8]]) -> [FileError?] { names.map { _ in nil } }

    func write(_ file: WholeFile, as part: [UInt8]) throws(FileError) {
        let made = try folder.makePart(part, size: 0)
        try made.write(file.content[...], at: 0)
        try made.setAttributes(permissions: file.permissions, modifiedMilliseconds: file.modifiedMilliseconds)
        #if !os(Linux)
            try made.synchronize()
        #endif
    }

    /// Linux brings all files to the disk with one call; elsewhere each went there when it was written.
    func synchronizeFiles() throws(FileError) {
        #if os(Linux)
            try folder.synchronizeDisk()
        #endif
    }

    func name(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError) {
        try folder.name(part, as: name, replacing: replacing)
    }

    func synchronizeNames() throws(FileError) { try folder.synchronizeNames() }
    func remove(_ part: [UInt8]) throws(FileError) { try folder.remove(part) }
    func text(of name: [UInt8]) -> String { folder.text(of: name) }
}
