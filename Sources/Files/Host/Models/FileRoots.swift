import Files
package import Transfers

/// The folders a phone may reach, and how a text of the peer names a place in them.
package struct FileRoots: Hashable, Sendable {
    package static let pathLimit = FileLimits.path

    /// Absolute and real (no link in them), without a slash at the end; empty for `/`.
    package let folders: [[UInt8]]
    /// Where relative paths, `~` and the empty path begin.
    package let home: FileLocation

    /// - Parameters:
    ///   - folders: Absolute, real paths. At least one.
    ///   - home: The person's home folder. When no folder holds it, the first folder takes its place.
    /// - Throws: ``FileError/nothingShared`` for an empty list.
    package init(folders: [[UInt8]], home: [UInt8]) throws(FileError) {
        guard !folders.isEmpty else { throw .nothingShared }
        self.folders = folders.map(Self.withoutSlash)
        self.home =
            Self.location(ofAbsolute: Self.withoutSlash(home), in: self.folders) ?? FileLocation(root: 0, path: [])
    }

    /// Reads both path styles. `\` separates where a path has no `/` at all; beside a `/` it is a character of a name, so every
    /// absolute path means what it says, and `./a\b` is the file `a\b`. Source: `docs/protocol.md`, "Files".
    ///
    /// - Throws: ``FileError``: outside of every folder, or no path at all.
    package func location(of text: String) throws(FileError) -> FileLocation {
        var bytes = FileNameText.bytes(text)
        guard bytes.count <= Self.pathLimit, !bytes.contains(0) else { throw .badName(String(text.prefix(255))) }
        if !bytes.contains(UInt8(ascii: "/")) {
            bytes = bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        }
        if bytes.first == UInt8(ascii: "/") {
            guard let location = Self.location(ofAbsolute: Self.normal(bytes), in: folders) else {
                throw .outside(text)
            }
            return location
        }
        if bytes.first == UInt8(ascii: "~"), bytes.count == 1 || bytes[1] == UInt8(ascii: "/") { bytes.removeFirst() }
        let rest = Self.joined(Self.components(bytes))
        return rest.isEmpty ? home : home.appending(rest)
    }

    /// The absolute path, for answers and for the person.
    package func path(of location: FileLocation) -> [UInt8] {
        guard folders.indices.contains(location.root) else { return [UInt8(ascii: "/")] }
        let folder = folders[location.root]
        let path = location.path.isEmpty ? folder : folder + [UInt8(ascii: "/")] + location.path
        return path.isEmpty ? [UInt8(ascii: "/")] : path
    }

    package func text(of location: FileLocation) -> String { FileNameText.text(path(of: location)) }

    /// The longest folder that `path` begins with.
    private static func location(ofAbsolute path: [UInt8], in folders: [[UInt8]]) -> FileLocation? {
        let holding = folders.indices.filter { index in
            let folder = folders[index]
            return path.starts(with: folder)
                && (path.count == folder.count || path[folder.count] == UInt8(ascii: "/"))
        }
        guard let root = holding.max(by: { folders[$0].count < folders[$1].count }) else { return nil }
        return FileLocation(root: root, path: Array(path.dropFirst(folders[root].count + 1)))
    }

    private static func components(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
    }

    private static func joined(_ components: [ArraySlice<UInt8>]) -> [UInt8] {
        Array(components.joined(separator: [UInt8(ascii: "/")]))
    }

    /// An absolute path without `.`, empty components and a slash at the end.
    private static func normal(_ path: [UInt8]) -> [UInt8] {
        let rest = joined(components(path))
        return rest.isEmpty ? [] : [UInt8(ascii: "/")] + rest
    }

    private static func withoutSlash(_ path: [UInt8]) -> [UInt8] { normal(path) }
}
