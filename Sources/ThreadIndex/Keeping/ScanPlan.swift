import AgentHistory

/// The work of one scan of an agent's folders, found by comparing the files with the rows of the index.
struct ScanPlan {
    /// Files that are new or changed, the newest first. With the row of a changed one.
    var read: [(entry: HistoryEntry, row: FileRow?)] = []
    /// Files that lie elsewhere now. Those that changed too are also in ``read``.
    var moved: [(row: FileRow, entry: HistoryEntry)] = []
    /// Rows whose files are gone.
    var gone: [Int64] = []

    init(_ listing: HistoryListing, _ rows: [FileRow]) {
        var left = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var unknown: [HistoryEntry] = []
        for entry in listing.entries {
            guard let row = left.removeValue(forKey: FileName.key(entry.path)) else {
                unknown.append(entry)
                continue
            }
            if row.identity != entry.identity {
                read.append((entry, row))
            } else if row.path != entry.path || row.isArchived != entry.isArchived {
                moved.append((row, entry))
            }
        }
        if !unknown.isEmpty { place(unknown, &left) }
        read.sort { $0.entry.identity.modifiedMilliseconds > $1.entry.identity.modifiedMilliseconds }
        // A file in a folder that could not be looked at does not count as gone.
        let hidden = listing.problems.map(\.path)
        gone = left.values.filter { row in !hidden.contains { row.path == $0 || row.path.hasPrefix($0 + "/") } }.map(
            \.id
        )
    }

    /// Finds the rows of files that were moved: by device and inode, among the rows whose files are gone.
    private mutating func place(_ entries: [HistoryEntry], _ left: inout [String: FileRow]) {
        struct FileID: Hashable {
            let device: UInt64
            let inode: UInt64

            init(_ identity: FileIdentity) {
                device = identity.device
                inode = identity.inode
            }
        }
        let lost = Dictionary(left.values.map { (FileID($0.identity), $0) }, uniquingKeysWith: { first, _ in first })
        for entry in entries {
            let row = lost[FileID(entry.identity)].flatMap { left[$0.key] }
            let isRenamed = row.map { FileName.last($0.key) != FileName.last(FileName.key(entry.path)) } ?? true
            // A new file may have the inode of one that was deleted: only a state that is known, or a name, tells that it is the same file.
            guard let row, row.identity == entry.identity || !isRenamed else {
                read.append((entry, nil))
                continue
            }
            left[row.key] = nil
            moved.append((row, entry))
            // Names hold ids.
            if row.identity != entry.identity || isRenamed { read.append((entry, row)) }
        }
    }
}

extension AgentHistoryError {
    /// The path that could not be looked at.
    fileprivate var path: String {
        switch self {
        case .notFound(let path), .denied(let path), .notOrdinary(let path), .symbolicLink(let path): path
        case .truncated(let path, _, _), .rewritten(let path, _), .tooLarge(let path, _), .tooCostly(let path): path
        case .damaged(let path, _), .system(let path, _): path
        }
    }
}
