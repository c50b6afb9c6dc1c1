import AgentHistory
import Conversations
import GRDB
import Storage

extension Duration {
    /// Whole microseconds, as the column `cost` counts them.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}

/// The columns of the table `file` that a look at a file fills.
enum FileColumns {
    private static let key = ["agent", "key"]
    private static let assigned = [
        "path", "device", "inode", "size", "modified", "isArchived", "threadID", "ownTitle", "title", "searchTitle",
        "folder", "branch", "provider", "version", "source", "parentID", "created", "updated", "lastMessage",
        "fileSize",
        "isInteractive", "sortTime", "isTextDue", "unreadable", "cost",
    ]

    static let names = (key + assigned).joined(separator: ", ")
    static let places = Array(repeating: "?", count: key.count + assigned.count).joined(separator: ", ")
    static let assignments = assigned.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    /// In the order of ``names``.
    ///
    /// - Parameter name: The name that a person gave the thread, which is its title then.
    static func values(
        of file: ScannedFile,
        named name: String?,
        isTextDue: Bool
    ) -> [(any DatabaseValueConvertible)?] {
        let entry = file.entry
        let thread = file.thread
        var values: [(any DatabaseValueConvertible)?] = []
        values.reserveCapacity(key.count + assigned.count + 2)
        values += [entry.agent.rawValue, FileName.key(entry.path), entry.path]
        values += entry.identity.columns
        values += [
            entry.isArchived, thread?.id, thread?.title, name ?? thread?.title,
            name.map { SearchText.indexed($0) } ?? file.searchTitle,
        ]
        values += [
            thread?.workingFolder, thread?.gitBranch, thread?.modelProvider, thread?.version, thread?.source?.word,
            thread?.parentID, thread?.createdMilliseconds, thread?.updatedMilliseconds,
            thread?.lastMessageMilliseconds, thread?.size, thread?.isInteractive ?? false,
        ]
        values += [
            thread.map { $0.lastMessageMilliseconds ?? $0.updatedMilliseconds } ?? 0,
            thread != nil && thread?.unreadable == nil && isTextDue, thread?.unreadable?.rawValue,
            file.cost.microseconds,
        ]
        return values
    }
}
