import Files
import Synchronization
import Transfers

/// Walks a folder's tree without following links, and collects what fits; bounded in entries, depth and results.
final class FolderSearch: Sendable {
    /// Searches that run at a time, of all devices and of one; and how many of one device wait.
    static let width = 3
    static let deviceWidth = 2
    static let deviceWaitingLimit = 32

    static let visitLimit = 500_000
    static let depthLimit = 64
    /// The limit on results where the asker gives none.
    static let resultLimit = 200

    /// Set from outside: the asker gave up.
    private let cancelled = Mutex(false)
    private let pattern: NamePattern?
    private let showsHidden: Bool
    private let depth: Int
    private let limit: Int

    /// - Parameter pattern: Nil: every name fits.
    init(pattern: NamePattern?, showsHidden: Bool, depth: Int, limit: Int) {
        self.pattern = pattern
        self.showsHidden = showsHidden
        self.depth = min(depth, Self.depthLimit)
        self.limit = limit
    }

    func cancel() { cancelled.withLock { $0 = true } }

    /// A folder that is being walked through, and what is left of it. One is open for each level, however many there are side by side.
    private struct Level {
        let folder: any OpenFolder
        let path: String
        /// The last one comes next.
        var names: [FolderName]

        init(_ folder: any OpenFolder, path: String) throws {
            self.folder = folder
            self.path = path
            names = try folder.names(limit: FolderPage.entryLimit)
            names.sort { $1.bytes.lexicographicallyPrecedes($0.bytes) }
        }
    }

    func run(in root: any OpenFolder, path: String) throws -> (entries: [FileEntry], isWhole: Bool) {
        var entries: [FileEntry] = []
        var cost = 0
        var isWhole = true
        var levels = [try Level(root, path: path)]
        var visited = levels[0].names.count
        while let level = levels.last {
            if cancelled.withLock({ $0 }) { throw CancellationError() }
            guard let name = levels[levels.count - 1].names.popLast() else {
                levels.removeLast()
                continue
            }
            guard showsHidden || name.bytes.first != UInt8(ascii: ".") else { continue }
            let text = FileNameText.text(name.bytes)
            let child = level.path.hasSuffix("/") ? level.path + text : level.path + "/" + text
            if pattern?.matches(text) ?? true, let status = try level.folder.status(of: name.bytes) {
                cost += AnswerCost.entry(path: child)
                guard entries.count < limit, cost <= AnswerCost.budget else { return (entries, false) }
                let isFolder = status.kind == .folder
                entries.append(FileEntry(name: name.bytes, path: child, status: status, isFolder: isFolder))
            }
            guard name.kind == .folder || name.kind == nil else { continue }
            guard levels.count < depth else {
                isWhole = isWhole && depth < Self.depthLimit
                continue
            }
            guard let inner = try Self.inner(name.bytes, of: level.folder) else { continue }
            let next = try Level(inner, path: child)
            // Counted when they are read: what is kept in memory is bounded too.
            visited += next.names.count
            guard visited <= Self.visitLimit else { return (entries, false) }
            levels.append(next)
        }
        return (entries, isWhole)
    }

    /// Nil for another user's folder, or one that is gone meanwhile: the others are searched all the same.
    private static func inner(_ name: [UInt8], of folder: any OpenFolder) throws -> (any OpenFolder)? {
        do {
            return try folder.openFolder(name)
        } catch let error {
            switch error {
            case .denied, .outside, .notFound, .notAFolder, .notOrdinary, .linkLoop: return nil
            default: throw error
            }
        }
    }
}
