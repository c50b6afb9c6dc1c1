import AgentHistory
import Conversations
import Foundation
import GRDB

/// A thread as a row of the table `file`.
enum ThreadRow {
    /// In the order in which ``thread(_:from:)`` reads them.
    static let columns = """
        file.agent, file.threadID, file.title, file.folder, file.branch, file.provider, file.version, file.source, \
        file.parentID, file.created, file.updated, file.lastMessage, file.isInteractive, file.isArchived, file.path, \
        file.fileSize, file.unreadable
        """
    static let count = 17

    /// - Parameter first: The number of the first of ``columns`` in the row.
    static func thread(_ row: Row, from first: Int = 0) -> AgentThread {
        AgentThread(
            agent: Agent(rawValue: row[first]),
            id: row[first + 1] ?? "",
            title: row[first + 2] ?? "",
            workingFolder: row[first + 3],
            gitBranch: row[first + 4],
            modelProvider: row[first + 5],
            version: row[first + 6],
            source: (row[first + 7] as String?).map(source),
            parentID: row[first + 8],
            createdMilliseconds: row[first + 9],
            updatedMilliseconds: row[first + 10] ?? 0,
            lastMessageMilliseconds: row[first + 11],
            isInteractive: row[first + 12],
            isArchived: row[first + 13],
            path: row[first + 14],
            size: row[first + 15] ?? 0,
            unreadable: (row[first + 16] as String?).flatMap(AgentThread.Unreadable.init(rawValue:))
        )
    }

    private static func source(_ word: String) -> ThreadSource {
        guard word.hasPrefix("subagent") else { return ThreadSource(word: word) }
        if word == "subagent" { return .subagent(nil) }
        return word.hasPrefix("subagent:") ? .subagent(String(word.dropFirst(9))) : ThreadSource(word: word)
    }
}

extension FileIdentity {
    /// Devices and inodes take all 64 bits, and SQLite's integers have a sign.
    init(device: Int64, inode: Int64, size: Int64, modified: Int64) {
        self.init(
            device: UInt64(bitPattern: device),
            inode: UInt64(bitPattern: inode),
            size: size,
            modifiedMilliseconds: modified
        )
    }

    /// Device, inode, size and date, in the order of the tables.
    var columns: [(any DatabaseValueConvertible)?] {
        [Int64(bitPattern: device), Int64(bitPattern: inode), size, modifiedMilliseconds]
    }

    func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// The two names of one history: `X.jsonl`, and `X.jsonl.zst` once it was compressed.
enum FileName {
    static func isPacked(_ path: String) -> Bool { path.hasSuffix(".jsonl.zst") }

    /// The key of a history: equal for both of its names.
    static func key(_ path: String) -> String { isPacked(path) ? String(path.dropLast(4)) : path }

    static func last(_ path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// Whether a file of this name can hold a history, so that its coming or going matters.
    static func isHistory(_ path: String) -> Bool {
        path.hasSuffix(".jsonl") || path.hasSuffix(".json") || isPacked(path)
    }
}
