import FilesHost
import Synchronization
import Transfers

/// How many folders are open at a time, at most.
final class OpenCount: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock(\.most) }

    func opened() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func closed() { counts.withLock { $0.now -= 1 } }
}

/// A folder that counts itself and what is opened from it.
final class CountingFolder: OpenFolder {
    let open: OpenCount
    private let folder: any OpenFolder

    init(_ folder: any OpenFolder, open: OpenCount) {
        self.folder = folder
        self.open = open
        open.opened()
    }

    deinit { open.closed() }

    func names(limit: Int) throws(FileError) -> [FolderName] { try folder.names(limit: limit) }
    func status(of name: [UInt8]) throws(FileError) -> FileStatus? { try folder.status(of: name) }
    func target(of name: [UInt8]) -> FileStatus? { folder.target(of: name) }

    func openFolder(_ name: [UInt8]) throws(FileError) -> any OpenFolder {
        CountingFolder(try folder.openFolder(name), open: open)
    }
}
