import Transfers

/// A file of ``MemoryFiles``, whole or still arriving.
struct MemoryFile: PartialFile {
    private let path: String
    private let files: MemoryFiles
    private let log: EffectLog

    init(_ path: String, of files: MemoryFiles, log: EffectLog) {
        self.path = path
        self.files = files
        self.log = log
    }

    func status() throws(FileError) -> FileStatus { try files.node(path).status }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        log.note("read a file")
        return Array((try files.node(path).bytes ?? []).dropFirst(Int(clamping: offset)).prefix(count))
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        log.note("write a file")
        files.change(path) { node in
            let start = Int(offset)
            node?.bytes?.replaceSubrange(start..<start + bytes.count, with: bytes)
        }
    }

    func synchronize() throws(FileError) {}

    func isInPlace() throws(FileError) -> Bool { files.paths.contains(path) }

    func finish(
        as name: [UInt8],
        replacing: Bool,
        permissions: UInt32?,
        modifiedMilliseconds: Int64?
    ) throws(FileError) {
        log.note("name a file")
        let target = MemoryFiles.join(try MemoryFiles.parent(of: path), FileNameText.text(name))
        guard replacing || !files.paths.contains(target) else { throw .exists(target) }
        let node = try files.node(path)
        files.change(path) { $0 = nil }
        files.change(target) { $0 = node }
    }

    func discard() throws(FileError) {
        log.note("discard a part")
        files.change(path) { $0 = nil }
    }
}
