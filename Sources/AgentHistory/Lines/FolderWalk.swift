#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks for files below folders. Links to folders are followed, each folder once, so that loops end; links to files are left out.
struct FolderWalk {
    /// Folders and names that one walk looks at.
    private static let folderLimit = 50_000
    private static let nameLimit = 2_000_000

    private(set) var problems: [AgentHistoryError] = []
    private(set) var isCut = false
    private var seen: Set<FolderID> = []
    private var names = 0

    private struct FolderID: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// One file or folder that was seen.
    struct Name {
        let name: String
        let path: String
        let status: PathStatus
    }

    /// Calls `found` for every ordinary file below `root` that `takes` wants.
    ///
    /// - Parameters:
    ///   - depth: Levels of folders below the root.
    ///   - enters: Whether a folder with this name at this level (the root's own are 1) is looked into.
    mutating func files(
        below root: String,
        depth: Int,
        enters: (String, Int) -> Bool = { _, _ in true },
        takes: (String) -> Bool,
        found: (Name) -> Void
    ) {
        var waiting = [(path: root, level: 0)]
        while let folder = waiting.popLast() {
            guard enter(folder.path) else { continue }
            for name in list(folder.path) {
                guard names < Self.nameLimit, seen.count < Self.folderLimit else {
                    isCut = true
                    return
                }
                names += 1
                let path = HistoryPath.joined(folder.path, name)
                let isWanted = takes(name)
                let mayEnter = folder.level < depth && enters(name, folder.level + 1)
                // Most names are one or the other, and a look at each costs a call of the system.
                guard isWanted || mayEnter, let status = PathStatus.of(path: path, followingLinks: false) else {
                    continue
                }
                switch status.kind {
                case .file where isWanted: found(Name(name: name, path: path, status: status))
                case .folder where mayEnter: waiting.append((path, folder.level + 1))
                case .link where mayEnter:
                    if PathStatus.of(path: path, followingLinks: true)?.kind == .folder {
                        waiting.append((path, folder.level + 1))
                    }
                default: break
                }
            }
        }
    }

    /// The folders inside of a folder.
    mutating func folders(in root: String) -> [Name] {
        list(root).compactMap { name in
            let path = HistoryPath.joined(root, name)
            guard let status = PathStatus.of(path: path, followingLinks: true), status.kind == .folder else {
                return nil
            }
            return Name(name: name, path: path, status: status)
        }
    }

    /// False where the folder was walked before or is none.
    private mutating func enter(_ path: String) -> Bool {
        guard let status = PathStatus.of(path: path, followingLinks: true) else {
            note(AgentHistoryError(errno: errno, path: path))
            return false
        }
        guard status.kind == .folder else { return false }
        return seen.insert(FolderID(device: status.identity.device, inode: status.identity.inode)).inserted
    }

    /// Names that are no UTF-8 are left out: no agent makes any.
    private mutating func list(_ path: String) -> [String] {
        guard let folder = opendir(path) else {
            note(AgentHistoryError(errno: errno, path: path))
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(validatingCString: $0)
                }
            }
            guard let name, name != ".", name != ".." else { continue }
            guard names.count < Self.nameLimit else {
                isCut = true
                break
            }
            names.append(name)
        }
        return names
    }

    /// A folder that is not there is no problem: the agent is not used here.
    private mutating func note(_ problem: AgentHistoryError) {
        if case .notFound = problem { return }
        if problems.count < HistoryListing.problemLimit { problems.append(problem) }
    }
}

/// The newest files of a walk, at most as many as are wanted.
struct NewestEntries {
    private let limit: Int
    private var entries: [HistoryEntry] = []
    private var seen: Set<FileKey> = []
    private(set) var isCut = false

    private struct FileKey: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    init(limit: Int) { self.limit = max(0, limit) }

    mutating func add(_ entry: HistoryEntry) {
        // A file can be listed below two folders.
        guard seen.insert(FileKey(device: entry.identity.device, inode: entry.identity.inode)).inserted else { return }
        entries.append(entry)
        // Twice the limit, so that sorting is rare.
        if entries.count > 2 * limit + 64 { cut() }
    }

    mutating func sorted() -> [HistoryEntry] {
        // A plain file beside its compressed one wins, whichever is newer.
        let plain = Set(entries.lazy.map(\.path).filter { !HistoryPath.isCompressed($0) })
        entries.removeAll {
            HistoryPath.isCompressed($0.path) && plain.contains(HistoryPath.sibling(of: $0.path) ?? "")
        }
        cut()
        return entries
    }

    private mutating func cut() {
        entries.sort {
            ($0.identity.modifiedMilliseconds, $0.path) > ($1.identity.modifiedMilliseconds, $1.path)
        }
        guard entries.count > limit else { return }
        isCut = true
        entries.removeLast(entries.count - limit)
    }
}
