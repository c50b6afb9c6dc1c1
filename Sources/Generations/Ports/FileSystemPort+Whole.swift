/// What is made of the port's calls.
extension FileSystemPort {
    /// The bytes of a small file; nil where there is none.
    ///
    /// - Throws: ``GenerationsError/tooLarge(path:limit:)``.
    package func contents(of path: StorePath, limit: Int) throws(GenerationsError) -> [UInt8]? {
        guard try status(of: path) != nil else { return nil }
        let file = try open(path, .read)
        defer { file.close() }
        guard try file.size() <= UInt64(limit) else { throw .tooLarge(path: path.text, limit: limit) }
        return try file.read(limit, at: 0)
    }

    /// Writes a new file beside `path`, whole and on the disk. ``replace(_:with:)`` renames it over `path`.
    package func writeNext(of path: StorePath, _ bytes: [UInt8]) throws(GenerationsError) -> StorePath {
        let next = try StorePath(path.text + Self.nextSuffix)
        try removeFileIfThere(next)
        let file = try open(next, .create)
        defer { file.close() }
        try file.write(bytes, at: 0)
        try file.synchronize()
        return next
    }

    /// Writes a small file anew. A later ``synchronizeTree(_:)`` puts it on the disk.
    package func write(_ bytes: [UInt8], to path: StorePath) throws(GenerationsError) {
        try removeFileIfThere(path)
        let file = try open(path, .create)
        defer { file.close() }
        try file.write(bytes, at: 0)
    }

    /// Replaces a file so that either the old bytes or the new ones are there, whenever the power goes.
    package func replace(_ path: StorePath, with bytes: [UInt8]) throws(GenerationsError) {
        try rename(try writeNext(of: path, bytes), to: path)
        try synchronizeFolder(path.parent)
    }

    /// The end of the name under which a file waits to replace another.
    package static var nextSuffix: String { ".next" }

    package func removeFileIfThere(_ path: StorePath) throws(GenerationsError) {
        guard try status(of: path) != nil else { return }
        try removeFile(path)
    }

    /// Makes a folder and those it is in, where they are missing.
    ///
    /// - Parameter durably: Whether each is on the disk on return; else a later ``synchronizeTree(_:)`` puts it there.
    package func makeFolders(_ path: StorePath, durably: Bool = true) throws(GenerationsError) {
        guard path != .root, try status(of: path) == nil else { return }
        try makeFolders(path.parent, durably: durably)
        try makeFolder(path)
        if durably { try synchronizeFolder(path.parent) }
    }

    /// Removes a folder with all that is in it; nothing where there is none. The name's end is not on the disk yet.
    package func removeTree(_ path: StorePath) throws(GenerationsError) {
        guard let status = try status(of: path) else { return }
        guard status.kind == .folder else { return try removeFile(path) }
        while true {
            let some = try names(in: path, limit: 1024)
            if some.isEmpty { break }
            for name in some { try removeTree(path.appending(try StorePath(name))) }
        }
        try removeFolder(path)
    }
}
