/// A place below one of the shared folders.
public struct FileLocation: Hashable, Sendable {
    /// Which of ``FileRoots/folders``.
    public var root: Int
    /// Components joined by `/`, without one at either end. Empty: the shared folder itself. `..` may occur: only the system
    /// knows where it leads, and it never lets it lead out.
    public var path: [UInt8]

    public init(root: Int, path: [UInt8]) {
        self.root = root
        self.path = path
    }

    public func appending(_ name: [UInt8]) -> FileLocation {
        FileLocation(root: root, path: path.isEmpty ? name : path + [UInt8(ascii: "/")] + name)
    }

    /// The folder and the name in it, for what makes, moves or removes a name.
    ///
    /// - Throws: ``FileError/badName(_:)`` when there is no such name: for the shared folder itself and for `..`.
    public func split() throws(FileError) -> (folder: FileLocation, name: [UInt8]) {
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
        try Self.check(name)
        let folder = path.count > name.count ? Array(path[..<(path.count - name.count - 1)]) : []
        return (FileLocation(root: root, path: folder), name)
    }

    /// A name of one file: what a peer gives as one may not be a way to somewhere else.
    ///
    /// - Throws: ``FileError/badName(_:)``.
    public static func check(_ name: [UInt8]) throws(FileError) {
        let dots: [[UInt8]] = [[], [0x2E], [0x2E, 0x2E]]
        guard name.count <= 255, !dots.contains(name), !name.contains(UInt8(ascii: "/")), !name.contains(0) else {
            throw .badName(FileNameText.text(name.prefix(255)))
        }
    }
}
