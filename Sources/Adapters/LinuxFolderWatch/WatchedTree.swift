import CLinux
import Glibc
import ThreadIndex

/// The folders that one inotify descriptor watches. For one thread at a time.
final class WatchedTree {
    /// Levels of folders below a root: the layouts of agents have five.
    private static let depth = 8

    private struct Folder {
        let path: String
        /// Below a root: nil for a folder that is watched for single names only.
        var level: Int?
    }

    private let descriptor: Int32
    private let roots: [String]
    private let files: Set<String>
    private let limit: Int
    private let tell: (FolderChange) -> Void
    private var folders: [Int32: Folder] = [:]
    private var isIncomplete = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(
        _ descriptor: Int32,
        folders: [String],
        files: [String],
        limit: Int,
        tell: @escaping (FolderChange) -> Void
    ) {
        self.descriptor = descriptor
        roots = folders.map(Self.plain)
        self.files = Set(files.map(Self.plain))
        self.limit = limit
        self.tell = tell
    }

    func begin() {
        for root in roots { attach(root) }
        for file in files {
            attachParent(of: file)
            // Attach again: folders on the way to it may have been made meanwhile.
            attachParent(of: file)
        }
    }

    /// Tells all that has come. A negative errno when the descriptor is of no use any more.
    func read() -> Int {
        while true {
            let count = tandem_folder_watch_read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return count }
            var last: FolderChange?
            for (folder, what, name) in events(count) {
                let change = change(folder, what, name)
                // One write is often several events.
                if let change, change != last { tell(change) }
                last = change ?? last
            }
        }
    }

    private func events(_ count: Int) -> [(folder: Int32, what: Int32, name: String?)] {
        buffer.withUnsafeBytes { bytes in
            var offset = 0
            var event = tandem_folder_event()
            var events: [(Int32, Int32, String?)] = []
            while tandem_folder_watch_next(bytes.baseAddress, count, &offset, &event) != 0 {
                // Names that are no UTF-8 are no agent's.
                events.append((event.folder, event.what, event.name.flatMap { String(validatingCString: $0) }))
            }
            return events
        }
    }

    private func change(_ number: Int32, _ what: Int32, _ name: String?) -> FolderChange? {
        if what & Int32(TANDEM_FOLDER_LOST) != 0 {
            // Folders may have been made meanwhile.
            begin()
            return .lost
        }
        guard let folder = folders[number], let name else { return nil }
        if what & Int32(TANDEM_FOLDER_GONE) != 0 {
            // Renamed inside of what is watched, it was found under its new path already.
            if tandem_folder_watch_add(descriptor, folder.path) == number { return nil }
            folders[number] = nil
            tandem_folder_watch_remove(descriptor, number)
            for root in roots where root == folder.path || root.hasPrefix(folder.path + "/") { attach(root) }
            for file in files where Self.parent(of: file) == folder.path { attachParent(of: file) }
            return .moved(path: folder.path)
        }
        let path = Self.joined(folder.path, name)
        let isWritten = what & Int32(TANDEM_FOLDER_WRITTEN) != 0
        if files.contains(path) { return isWritten ? .written(path: path) : .moved(path: path) }
        guard let level = folder.level else {
            // On the way to something that was not there.
            var isWanted = false
            for root in roots where root == path || root.hasPrefix(path + "/") {
                attach(root)
                isWanted = true
            }
            for file in files where file.hasPrefix(path + "/") {
                attachParent(of: file)
                isWanted = true
            }
            return isWanted ? .lost : nil
        }
        if isWritten { return .written(path: path) }
        if what & Int32(TANDEM_FOLDER_IS_FOLDER) != 0, !name.hasPrefix(".") { watch(path, level: level + 1) }
        return .moved(path: path)
    }

    // MARK: Watching

    /// Watches a root; where it is not there, the nearest folder above it, until it is.
    private func attach(_ root: String) {
        if watch(root, level: 0) { return }
        attachParent(of: root)
        // It may have been made between the two; what is made from now on is heard.
        if !watch(root, level: 0) { attachParent(of: root) }
    }

    private func attachParent(of path: String) {
        var above = path
        while above != "/", !above.isEmpty {
            above = Self.parent(of: above)
            if watch(above, level: nil) { return }
        }
    }

    /// - Returns: Whether the folder is watched now.
    @discardableResult
    private func watch(_ root: String, level: Int?) -> Bool {
        var waiting = [(path: root, level: level)]
        // Links can lead in circles: a folder has one number under all its paths.
        var seen: Set<Int32> = []
        while let next = waiting.popLast() {
            guard folders.count < limit else {
                fallShort("there are more than \(limit) folders")
                break
            }
            let number = tandem_folder_watch_add(descriptor, next.path)
            guard number >= 0 else {
                switch -number {
                case ENOENT, ENOTDIR, ELOOP: break
                case ENOSPC: fallShort("the system's limit fs.inotify.max_user_watches is reached")
                default: fallShort("\(next.path): \(String(cString: strerror(-number)))")
                }
                continue
            }
            guard seen.insert(number).inserted else { continue }
            guard let level = next.level else {
                if folders[number] == nil { folders[number] = Folder(path: next.path, level: nil) }
                continue
            }
            folders[number] = Folder(path: next.path, level: level)
            if level < Self.depth { waiting += Self.folders(in: next.path).map { ($0, level + 1) } }
        }
        return !seen.isEmpty
    }

    private func fallShort(_ reason: String) {
        guard !isIncomplete else { return }
        isIncomplete = true
        tell(.incomplete(reason: reason))
    }

    // MARK: Paths

    private static func folders(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            // Links to folders are followed as the readers do; a system without kinds says unknown.
            let kind = Int32(entry.pointee.d_type)
            guard [Int32(DT_DIR), Int32(DT_LNK), Int32(DT_UNKNOWN)].contains(kind) else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(validatingCString: $0)
                }
            }
            guard let name, !name.hasPrefix(".") else { continue }
            found.append(joined(path, name))
        }
        return found
    }

    private static func plain(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
