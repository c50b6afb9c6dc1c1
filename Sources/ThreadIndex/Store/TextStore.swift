import AgentHistory
import Conversations
import GRDB
import Storage

/// A file whose text is not all in the index.
struct DueFile: Sendable {
    let id: Int64
    let agent: Agent
    let path: String
    /// The state of the file when it was looked at last.
    let identity: FileIdentity
    let folder: String?
    let sortTime: Int64
    /// The time of items that an agent gave none.
    let created: Int64
    /// Where newer items are; nil while nothing of the file was read.
    let newer: ConversationCursor?
    /// Where older items are, as long as some are wanted.
    let older: ConversationCursor?
    /// Pages that were read backwards.
    let olderPages: Int
    /// UTF-8 bytes of its text in the index.
    let textBytes: Int
    /// The state of the file that was read last.
    let seen: FileIdentity?
    /// The processor's time that reading this state of the file took so far.
    let cost: Duration

    /// The next part to read. New text is looked for only once all old text is read: then the state of the file says whether there is any.
    var next: (from: ConversationCursor?, isOlder: Bool) { older.map { ($0, true) } ?? (newer, false) }
}

/// An item that can be found.
struct FoundItem: Sendable {
    let id: String
    let position: Int64
    let milliseconds: Int64?
    let words: ItemWords
}

/// The part of a page that the full text takes.
struct TextPage: Sendable {
    let items: [FoundItem]
    let older: ConversationCursor?
    let newer: ConversationCursor
    let reachesEnd: Bool
    let file: FileIdentity?

    init(_ page: ConversationPage) {
        // The beginning of a fork is found in the thread that it is of.
        items = page.items.compactMap { item in
            guard item.position >= page.ownStart else { return nil }
            return ItemWords(item).map {
                FoundItem(id: item.id, position: item.position, milliseconds: item.milliseconds, words: $0)
            }
        }
        older = page.older.flatMap { $0.offset > page.ownStart ? $0 : nil }
        newer = page.newer
        reachesEnd = page.reachesEnd
        file = page.file
    }
}

/// The result of reading a page of a file.
enum TextStep: Sendable {
    /// The last page: of a file of which nothing was read.
    case newest(TextPage)
    case older(TextPage)
    case newer(TextPage)
    /// The text that was read is not part of the thread any more.
    case anew
    /// The file cannot be read, or there is no room for its text.
    case givenUp
    /// Not even its newest page can be read: a person cannot open it either.
    case unreadable(AgentThread.Unreadable)
}

/// The full text, as calls inside of a transaction.
enum TextStore {
    /// Text is looked for so far before the end of a file.
    static let depth: Int64 = 256 << 20
    /// Each page of a compressed file costs unpacking it from its beginning.
    static let packedPages = 32

    // MARK: What is to be read

    /// Threads of the normal list first, each kind the newest first.
    static func due(limit: Int, in database: Database) throws -> [DueFile] {
        let sql = """
            SELECT id, agent, path, device, inode, size, modified, folder, sortTime, created, newerOffset, newerLink,
                newerIsInside, olderOffset, olderLink, olderIsInside, olderPages, textBytes, textDevice, textInode, textSize,
                textModified, cost
            FROM file INDEXED BY file_due WHERE isTextDue = 1 AND isShown = 1
            ORDER BY isInteractive DESC, isArchived, sortTime DESC LIMIT ?
            """
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [limit]).map { row in
            let identity = FileIdentity(device: row[3], inode: row[4], size: row[5], modified: row[6])
            var seen: FileIdentity?
            if let device = row[18] as Int64?, let inode = row[19] as Int64?, let size = row[20] as Int64?,
                let modified = row[21] as Int64?
            {
                seen = FileIdentity(device: device, inode: inode, size: size, modified: modified)
            }
            return DueFile(
                id: row[0],
                agent: Agent(rawValue: row[1]),
                path: row[2],
                identity: identity,
                folder: row[7],
                sortTime: row[8],
                created: row[9] ?? identity.modifiedMilliseconds,
                newer: cursor(row, at: 10),
                older: cursor(row, at: 13),
                olderPages: row[16],
                textBytes: row[17],
                seen: seen,
                cost: .microseconds(row[22] as Int64)
            )
        }
    }

    private static func cursor(_ row: Row, at index: Int) -> ConversationCursor? {
        (row[index] as Int64?).map {
            ConversationCursor(offset: $0, link: row[index + 1], isInsideLine: row[index + 2])
        }
    }

    static func dueCount(in database: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM file INDEXED BY file_due WHERE isTextDue = 1 AND isShown = 1"
        return try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
    }

    static func shownCount(in database: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM file INDEXED BY file_list WHERE isShown = 1"
        return try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
    }

    static func totalBytes(in database: Database) throws -> Int {
        try database.value("SELECT SUM(textBytes) FROM file WHERE textBytes > 0") ?? 0
    }

    // MARK: Taking pages

    /// Notes what a page brought.
    ///
    /// - Returns: By how many bytes the text grew; below 0 where some was dropped.
    static func take(
        _ step: TextStep,
        of file: DueFile,
        bounds: IndexDatabase.Bounds,
        in database: Database
    ) throws -> Int {
        // A look at the file may have found another one meanwhile, or begun its text anew.
        let now = try database.row(
            "SELECT device, inode, size, modified, newerOffset, olderOffset, textBytes FROM file WHERE id = \(file.id)"
        )
        guard let now, (now[4] as Int64?) == file.newer?.offset, (now[5] as Int64?) == file.older?.offset else {
            return 0
        }
        let identity = FileIdentity(device: now[0], inode: now[1], size: now[2], modified: now[3])
        let bytesBefore: Int = now[6]
        let page: TextPage
        var older = file.older
        var newer = file.newer
        var pages = file.olderPages
        switch step {
        case .anew:
            try forget(file.id, in: database)
            try database.run("UPDATE file SET isTextDue = 1 WHERE id = \(file.id)")
            return -bytesBefore
        case .givenUp:
            try giveUp(file.id, in: database)
            return 0
        case .unreadable(let reason):
            // A file that is another one by now gets its chance.
            if identity == file.identity { try giveUp(file.id, because: reason, in: database) }
            return 0
        case .newest(let newest):
            (page, newer, older) = (newest, newest.newer, newest.older)
            pages = 1
        case .older(let found):
            (page, older) = (found, found.older)
            pages += 1
        case .newer(let found):
            (page, newer) = (found, found.newer)
        }
        var bytes = bytesBefore + (try add(page.items, of: file, in: database))
        if bytes > bounds.file {
            if case .newer = step { bytes -= try trim(file.id, to: bounds.file / 2, in: database) }
            // Older text is not looked for any more.
            older = nil
        }
        if let place = older, let end = newer {
            let isPacked = FileName.isPacked(file.path)
            if end.offset - place.offset > depth || isPacked && pages >= packedPages { older = nil }
        }
        var seen = file.seen
        var isCurrent = seen == identity
        if case .older = step {
        } else if page.reachesEnd {
            seen = page.file
            // The page may have read further than the last look at the file: the next look finds that state and nothing new.
            isCurrent = seen == identity || identity == file.identity
        }
        let isDue = older != nil || !isCurrent
        let arguments: [(any DatabaseValueConvertible)?] =
            [bytes, newer?.offset, newer?.link, newer?.isInsideLine ?? false]
            + [older?.offset, older?.link, older?.isInsideLine ?? false, pages]
            + (seen?.columns ?? [nil, nil, nil, nil]) + [isDue, file.id]
        try database.cachedStatement(
            sql: """
                UPDATE file SET textBytes = ?, newerOffset = ?, newerLink = ?, newerIsInside = ?, olderOffset = ?, olderLink = ?,
                    olderIsInside = ?, olderPages = ?, textDevice = ?, textInode = ?, textSize = ?, textModified = ?, isTextDue = ?
                WHERE id = ?
                """
        ).execute(arguments: StatementArguments(arguments))
        return bytes - bytesBefore
    }

    /// Looks for no more text of a file. A reason is kept with it.
    private static func giveUp(
        _ id: Int64,
        because reason: AgentThread.Unreadable? = nil,
        in database: Database
    ) throws {
        try database.run(
            """
            UPDATE file SET isTextDue = 0, olderOffset = NULL, unreadable = COALESCE(\(reason?.rawValue), unreadable)
            WHERE id = \(id)
            """
        )
    }

    /// Adds what a page cost, in processor time, to the row of its file.
    static func add(cost: Duration, to file: DueFile, in database: Database) throws {
        let sql = "UPDATE file SET cost = cost + ? WHERE id = ? AND size = ? AND modified = ?"
        try database.cachedStatement(sql: sql).execute(
            arguments: [cost.microseconds, file.id, file.identity.size, file.identity.modifiedMilliseconds]
        )
    }

    /// - Returns: UTF-8 bytes of the text that came in.
    private static func add(_ items: [FoundItem], of file: DueFile, in database: Database) throws -> Int {
        let place = Place.words(agent: file.agent, folder: file.folder)
        let insert = try database.cachedStatement(sql: "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?)")
        let isTaken = try database.cachedStatement(sql: "SELECT 1 FROM item WHERE id = ?")
        var numbers = ItemNumbers(file: file.id, created: file.created)
        var bytes = 0
        var added: [Int64] = []
        var rows = items.map { (number: numbers.next(for: $0), item: $0) }
        // SQLite's index takes rising numbers far faster.
        rows.sort { $0.number < $1.number }
        for row in rows {
            var number = row.number
            var tries = 0
            while tries < 4096, try Int.fetchOne(isTaken, arguments: [number]) != nil {
                number += 1
                tries += 1
            }
            guard tries < 4096 else { continue }
            try insert.execute(
                arguments: [
                    number, file.id, row.item.id, row.item.position, row.item.words.kind.rawValue,
                    row.item.words.text, place,
                ]
            )
            added.append(number)
            bytes += row.item.words.text.utf8.count
        }
        if !added.isEmpty {
            // In one statement, as for titles.
            let sql = """
                INSERT INTO item_index (rowid, text, place)
                SELECT item.id, item.text, item.place
                FROM json_each(?) AS added CROSS JOIN item ON item.id = added.value ORDER BY added.id
                """
            let numbers = "[" + added.map(String.init).joined(separator: ",") + "]"
            try database.cachedStatement(sql: sql).execute(arguments: [numbers])
        }
        return bytes
    }

    /// Drops a file's oldest items.
    ///
    /// - Returns: How many bytes went.
    private static func trim(_ file: Int64, to wanted: Int, in database: Database) throws -> Int {
        let rows = try database.rows(
            "SELECT id, length(CAST(text AS BLOB)) FROM item WHERE file = \(file) ORDER BY position DESC, id DESC"
        )
        var kept = 0
        var dropped = 0
        for row in rows {
            let length: Int = row[1]
            if dropped == 0, kept + length <= wanted {
                kept += length
                continue
            }
            dropped += length
            try database.cachedStatement(sql: "DELETE FROM item WHERE id = ?").execute(arguments: [row[0] as Int64])
        }
        return dropped
    }

    // MARK: Dropping

    static func removeItems(of file: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM item WHERE file = ?").execute(arguments: [file])
    }

    /// Drops the text of a file, as if nothing of it had been read.
    static func forget(_ file: Int64, in database: Database) throws {
        try removeItems(of: file, in: database)
        let sql = """
            UPDATE file SET textBytes = 0, newerOffset = NULL, newerLink = NULL, newerIsInside = 0, olderOffset = NULL,
                olderLink = NULL, olderIsInside = 0, olderPages = 0, textDevice = NULL, textInode = NULL, textSize = NULL,
                textModified = NULL
            WHERE id = ?
            """
        try database.cachedStatement(sql: sql).execute(arguments: [file])
    }

    /// Drops the text of the thread whose last message is the oldest, to make room. What comes to it later is found again.
    ///
    /// - Returns: How many bytes went; 0 where all others are newer than `time`.
    static func dropOldest(before time: Int64, in database: Database) throws -> Int {
        let sql =
            "SELECT id, textBytes FROM file INDEXED BY file_text WHERE textBytes > 0 AND sortTime < ? ORDER BY sortTime LIMIT 1"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [time]) else { return 0 }
        let id: Int64 = row[0]
        try removeItems(of: id, in: database)
        try database.run("UPDATE file SET textBytes = 0, olderOffset = NULL WHERE id = \(id)")
        return row[1]
    }
}

/// Numbers of items: by time, so that the newest of what is found comes first without being sorted.
private struct ItemNumbers {
    /// Bits that tell items of one millisecond apart.
    private static let bits: Int64 = 20

    let file: Int64
    let created: Int64
    private var last: Int64?

    init(file: Int64, created: Int64) {
        self.file = file
        self.created = created
    }

    mutating func next(for item: FoundItem) -> Int64 {
        // An item without a time stands as far behind the beginning as it lies in the file.
        let time = item.milliseconds ?? created &+ item.position / 256
        // 42 bits of milliseconds last until the year 2109.
        let milliseconds = min(max(0, time), (1 << 42) - 1)
        var number = milliseconds << Self.bits | (file & 0x3FF) << 10
        // The order of items of the same time.
        if let last, last >> Self.bits == milliseconds, number <= last { number = last + 1 }
        last = number
        return number
    }
}
