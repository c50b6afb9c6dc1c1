import Kernel
import Synchronization

/// Walks a folder's tree without following links, and collects what fits; bounded in entries, depth and results.
final class FolderSearch: Sendable {
    static let visitLimit = 500_000
    static let depthLimit = 64

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

    func run(in root: any OpenFolder, path: String) throws -> (entries: [JSONValue], isWhole: Bool) {
        var entries: [JSONValue] = []
        var cost = 0
        var visited = 0
        var isWhole = true
        var waiting: [(folder: any OpenFolder, path: String, depth: Int)] = [(root, path, 1)]
        while let next = waiting.popLast() {
            let names = try next.folder.names(limit: FolderPage.entryLimit)
            for name in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
                if cancelled.withLock({ $0 }) { throw CancellationError() }
                visited += 1
                guard visited <= Self.visitLimit else { return (entries, false) }
                guard showsHidden || name.bytes.first != UInt8(ascii: ".") else { continue }
                let text = FileNameText.text(name.bytes)
                let child = next.path.hasSuffix("/") ? next.path + text : next.path + "/" + text
                if pattern?.matches(text) ?? true, let status = try next.folder.status(of: name.bytes) {
                    cost += 480 + 2 * FileAnswer.cost(child.utf8)
                    guard entries.count < limit, cost <= FileAnswer.budget else { return (entries, false) }
                    entries.append(
                        FileAnswer.entry(
                            name: name.bytes,
                            path: child,
                            status: status,
                            isFolder: status.kind == .folder
                        )
                    )
                }
                guard name.kind == .folder || name.kind == nil else { continue }
                guard next.depth < depth, waiting.count < 512 else {
                    isWhole = isWhole && depth < Self.depthLimit && waiting.count < 512
                    continue
                }
                guard let inner = try Self.inner(name.bytes, of: next.folder) else { continue }
                waiting.append((inner, child, next.depth + 1))
            }
        }
        return (entries, isWhole)
    }

    /// Nil for a folder of someone else, or gone meanwhile: the others are searched all the same.
    private static func inner(_ name: [UInt8], of folder: any OpenFolder) throws -> (any OpenFolder)? {
        do {
            return try folder.openFolder(name)
        } catch let error {
            switch error {
            case .denied, .notFound, .notAFolder, .notOrdinary, .linkLoop: return nil
            default: throw error
            }
        }
    }
}
