package import Transfers

/// A place below one of the shared folders.
package struct FileLocation: Hashable, Sendable {
    /// The index in ``FileRoots/folders``.
    package var root: Int
    /// Components joined by `/`, without one at either end. Empty: the shared folder itself. `..` may occur: only the system
    /// knows where it leads, and it never lets it lead out.
    package var path: [UInt8]

    package init(root: Int, path: [UInt8]) {
        self.root = root
        self.path = path
    }

    package func appending(_ name: [UInt8]) -> FileLocation {
        FileLocation(root: root, path: path.isEmpty ? name : path + [UInt8(ascii: "/")] + name)
    }

    /// The folder and the name in it, for what makes, moves or removes a name.
    ///
    /// - Throws: ``FileError/badName(_:)`` when there is no such name: for the shared folder itself and for `..`.
    package func split() throws(FileError) -> (folder: FileLocation, name: [UInt8]) {
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
        try FileNameText.check(name)
        let folder = path.count > name.count ? Array(path[..<(path.count - name.count - 1)]) : []
        return (FileLocation(root: root, path: folder), name)
    }
}
