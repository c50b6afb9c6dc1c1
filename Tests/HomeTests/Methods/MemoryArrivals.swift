import Transfers

/// A folder of ``MemoryFiles`` that small files come into.
struct MemoryArrivals: ArrivalFolder {
    private let path: String
    private let files: MemoryFiles
    private let log: EffectLog

    init(_ path: String, of files: MemoryFiles, log: EffectLog) {
        self.path = path
        self.files = files
        self.log = log
    }

    func text(of name: [UInt8]) -> String { MemoryFiles.join(path, FileNameText.text(name)) }

    func status(of name: [UInt8]) throws(FileError) -> FileStatus? {
        try files.paths.contains(text(of: name)) ? files.node(text(of: name)).status : nil
    }

    func refusals(of names: [[UInt8]]) throws(FileError) -> [FileError?] { names.map { _ in nil } }

    func write(_ file: WholeFile, as part: [UInt8]) throws(FileError) {
        log.note("make a part")
        files.insert(file.content, at: text(of: part))
    }

    func synchronizeFiles() throws(FileError) {}

    func name(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError) {
        log.note("name a file")
        let (from, to) = (text(of: part), text(of: name))
        guard replacing || !files.paths.contains(to) else { throw .exists(to) }
        let node = try files.node(from)
        files.change(from) { $0 = nil }
        files.change(to) { $0 = node }
    }

    func synchronizeNames() throws(FileError) {}

    func remove(_ part: [UInt8]) throws(FileError) {
        log.note("discard a part")
        files.change(text(of: part)) { $0 = nil }
    }
}
