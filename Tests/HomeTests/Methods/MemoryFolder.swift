import FilesHost
import Transfers

/// A folder of ``MemoryFiles``.
struct MemoryFolder: OpenFolder {
    private let path: String
    private let files: MemoryFiles

    init(_ path: String, of files: MemoryFiles) {
        self.path = path
        self.files = files
    }

    func names(limit: Int) throws(FileError) -> [FolderName] {
        files.children(path).map { FolderName(bytes: FileNameText.bytes($0), kind: nil) }
    }

    func status(of name: [UInt8]) throws(FileError) -> FileStatus? { target(of: name) }

    func target(of name: [UInt8]) -> FileStatus? {
        // Gone meanwhile is one of the answers.
        try? files.node(MemoryFiles.join(path, FileNameText.text(name))).status
    }

    func openFolder(_ name: [UInt8]) throws(FileError) -> any OpenFolder {
        try files.folder(MemoryFiles.join(path, FileNameText.text(name)))
    }
}
