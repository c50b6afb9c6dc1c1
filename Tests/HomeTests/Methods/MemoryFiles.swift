import FilesHost
import Synchronization
import Transfers

/// A home folder in memory, each use of it noted. Without links, so a path leads where its text says.
final class MemoryFiles: FileAccess {
    struct Node {
        var bytes: [UInt8]?
        var inode: UInt64

        var status: FileStatus {
            FileStatus(
                kind: bytes == nil ? .folder : .file,
                size: Int64(bytes?.count ?? 0),
                modified: FileTime(seconds: 1_790_000_000),
                accessed: FileTime(seconds: 1_790_000_000),
                created: nil,
                permissions: bytes == nil ? 0o755 : 0o644,
                inode: inode,
                device: 1
            )
        }
    }

    static let home = "/home/ada"
    private static let roomLimit: Int64 = 1 << 20

    let roots: FileRoots
    private let log: EffectLog
    private let nodes: Mutex<[String: Node]>

    /// - Parameter tree: Paths below the home folder; nil for a folder.
    init(_ tree: KeyValuePairs<String, String?>, log: EffectLog) throws {
        roots = try FileRoots(folders: [Array(Self.home.utf8)], home: Array(Self.home.utf8))
        self.log = log
        var nodes = ["": Node(bytes: nil, inode: 1)]
        for (path, text) in tree {
            nodes[path] = Node(bytes: text.map { Array($0.utf8) }, inode: UInt64(nodes.count + 1))
        }
        self.nodes = Mutex(nodes)
    }

    var paths: Set<String> { nodes.withLock { Set($0.keys) } }

    func node(_ path: String) throws(FileError) -> Node {
        guard let node = nodes.withLock({ $0[path] }) else { throw .notFound(path) }
        return node
    }

    func change(_ path: String, _ body: (inout Node?) -> Void) { nodes.withLock { body(&$0[path]) } }

    func children(_ path: String) -> [String] {
        let start = path.isEmpty ? "" : path + "/"
        return paths.filter { !$0.isEmpty && $0.hasPrefix(start) && !$0.dropFirst(start.count).contains("/") }
            .map { String($0.dropFirst(start.count)) }
    }

    // MARK: FileAccess

    func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus {
        log.note("look at a file")
        return try node(path(location)).status
    }

    func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder {
        log.note("open a folder")
        return try folder(path(location))
    }

    func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile {
        log.note("open a file")
        let path = try path(location)
        guard try node(path).bytes != nil else { throw .isAFolder(path) }
        return MemoryFile(path, of: self, log: log)
    }

    func makeFolder(_ location: FileLocation, withParents: Bool, permissions: UInt32?) throws(FileError) -> Bool {
        log.note("make a folder")
        let path = try path(location)
        if paths.contains(path) { return false }
        let parent = try Self.parent(of: path)
        if withParents, !paths.contains(parent) {
            _ = try makeFolder(FileLocation(root: 0, path: Array(parent.utf8)), withParents: true, permissions: nil)
        }
        _ = try folder(parent)
        insert(nil, at: path)
        return true
    }

    func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError) {
        log.note("move a file")
        let (from, to) = (try path(source), try path(target))
        _ = try Self.parent(of: from)
        let moved = try node(from)
        _ = try folder(try Self.parent(of: to))
        if paths.contains(to), !replacing { throw .exists(to) }
        guard moved.bytes != nil || !(to + "/").hasPrefix(from + "/") else { throw .badName(to) }
        nodes.withLock { nodes in
            for (path, node) in nodes where path == from || path.hasPrefix(from + "/") {
                nodes[path] = nil
                nodes[to + path.dropFirst(from.count)] = node
            }
        }
    }

    func trash(_ location: FileLocation) throws(FileError) { try remove(location, recursively: true) }

    func remove(_ location: FileLocation, recursively: Bool) throws(FileError) {
        log.note("remove a file")
        let path = try path(location)
        _ = try Self.parent(of: path)
        _ = try node(path)
        guard recursively || children(path).isEmpty else { throw .folderNotEmpty(path) }
        nodes.withLock { nodes in
            nodes = nodes.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
        }
    }

    func checkTarget(_ location: FileLocation) throws(FileError) {}

    func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64, holes: ByteRanges) throws(FileError)
        -> any PartialFile
    {
        log.note("make a part")
        guard size <= Self.roomLimit else { throw .diskFull(needed: size) }
        let parent = try path(folder)
        _ = try self.folder(parent)
        let path = Self.join(parent, String(decoding: name, as: UTF8.self))
        insert([UInt8](repeating: 0, count: Int(size)), at: path)
        return MemoryFile(path, of: self, log: log)
    }

    func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile {
        log.note("open a part")
        let path = Self.join(try path(folder), String(decoding: name, as: UTF8.self))
        _ = try node(path)
        return MemoryFile(path, of: self, log: log)
    }

    func openArrivals(_ folder: FileLocation) throws(FileError) -> any ArrivalFolder {
        log.note("open a folder")
        let path = try path(folder)
        _ = try self.folder(path)
        return MemoryArrivals(path, of: self, log: log)
    }

    // MARK: Paths

    static func join(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : folder + "/" + name }

    /// - Throws: ``FileError/badName(_:)`` for the shared folder, which has none.
    static func parent(of path: String) throws(FileError) -> String {
        guard !path.isEmpty else { throw .badName(path) }
        return path.split(separator: "/").dropLast().joined(separator: "/")
    }

    func folder(_ path: String) throws(FileError) -> MemoryFolder {
        guard try node(path).bytes == nil else { throw .notAFolder(path) }
        return MemoryFolder(path, of: self)
    }

    func insert(_ bytes: [UInt8]?, at path: String) {
        nodes.withLock { nodes in
            let inode = (nodes.values.map(\.inode).max() ?? 0) + 1
            nodes[path] = Node(bytes: bytes, inode: inode)
        }
    }

    private func path(_ location: FileLocation) throws(FileError) -> String {
        let text = FileNameText.text(location.path)
        guard location.root == 0, !text.split(separator: "/").contains("..") else { throw .outside(text) }
        return text
    }
}
