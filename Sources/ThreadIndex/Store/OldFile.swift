import AgentHistory
import Conversations
import GRDB

/// The row of a file before it was read again.
struct OldFile {
    /// The next step for the text that was read of the file.
    enum TextFate {
        /// It is read from its beginning.
        case begins
        /// It is read on.
        case goesOn
        /// Nothing came to it.
        case whole
    }

    let id: Int64
    let threadID: String?
    let path: String
    let folder: String?
    /// The state of the file that the text is of; nil where none was read.
    let text: FileIdentity?
    let hasOlder: Bool

    static func at(_ key: String, _ agent: Agent, _ database: Database) throws -> OldFile? {
        let sql = """
            SELECT id, threadID, path, folder, newerOffset, textDevice, textInode, textSize, textModified, olderOffset
            FROM file WHERE agent = ? AND key = ?
            """
        let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [agent.rawValue, key])
        return row.map { row in
            var text: FileIdentity?
            if row[4] != nil, let device = row[5] as Int64?, let inode = row[6] as Int64?,
                let size = row[7] as Int64?, let modified = row[8] as Int64?
            {
                text = FileIdentity(device: device, inode: inode, size: size, modified: modified)
            }
            return OldFile(
                id: row[0],
                threadID: row[1],
                path: row[2],
                folder: row[3],
                text: text,
                hasOlder: row[9] != nil
            )
        }
    }

    func textFate(now file: ScannedFile) -> TextFate {
        let now = file.entry.identity
        // The index of words knows the folder.
        guard let text, let thread = file.thread, thread.workingFolder == folder else { return .begins }
        guard text.isSameFile(as: now) else {
            // Compressed or unpacked: the text is the same, and so is the place in it. A file that was replaced begins anew.
            return FileName.isPacked(path) != FileName.isPacked(file.entry.path) ? .goesOn : .begins
        }
        if now == text { return hasOlder ? .goesOn : .whole }
        return now.size > text.size ? .goesOn : .begins
    }
}
