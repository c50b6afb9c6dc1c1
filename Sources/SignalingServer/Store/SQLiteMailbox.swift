import Foundation
public import GRDB

/// The mailbox in SQLite. Nothing is lost in a restart; what was delivered is removed behind its delivery.
public struct SQLiteMailbox: Mailbox {
    private let database: any DatabaseWriter
    private let limits: SignalingLimits

    /// - Throws: What SQLite says.
    public init(_ database: any DatabaseWriter, limits: SignalingLimits = SignalingLimits()) throws {
        try SignalingDatabase.prepare(database)
        self.database = database
        self.limits = limits
    }

    public func store(_ frames: [MailboxFrame]) async throws -> [Bool] {
        try await database.write { [limits] database in
            var mailboxes =
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM signalingMailboxUse") ?? 0
            let outcomes = try frames.map { frame in
                try Self.store(frame, database, limits: limits, mailboxes: &mailboxes)
            }
            try Self.dropOldest(database, over: limits.mailboxBytes)
            return outcomes
        }
    }

    private static func store(
        _ frame: MailboxFrame,
        _ database: Database,
        limits: SignalingLimits,
        mailboxes: inout Int
    ) throws -> Bool {
        guard frame.bytes.count <= limits.mailboxBytes else { return false }
        let recipient = frame.recipient.storageKey
        let waiting =
            try Int.fetchOne(
                database,
                sql: "SELECT frames FROM signalingMailboxUse WHERE recipient = ?",
                arguments: [recipient]
            ) ?? 0
        if waiting == 0 {
            guard mailboxes < limits.mailboxes else { return false }
            mailboxes += 1
        }
        if let sender = frame.sender?.storageKey {
            let sent =
                try Int.fetchOne(
                    database,
                    sql: "SELECT COUNT(*) FROM signalingMailbox WHERE sender = ?",
                    arguments: [sender]
                ) ?? 0
            guard sent < limits.mailboxFramesPerSender else { return false }
        }
        try database.execute(
            sql: "INSERT INTO signalingMailbox (recipient, sender, storedAt, frame) VALUES (?, ?, ?, ?)",
            arguments: [recipient, frame.sender?.storageKey, frame.storedAt, Data(frame.bytes)]
        )
        if waiting >= limits.mailboxFrames {
            try database.execute(
                sql: """
                    DELETE FROM signalingMailbox WHERE number IN (
                        SELECT number FROM signalingMailbox WHERE recipient = ? ORDER BY number LIMIT ?)
                    """,
                arguments: [recipient, waiting + 1 - limits.mailboxFrames]
            )
        }
        return true
    }

    private static func dropOldest(_ database: Database, over limit: Int) throws {
        let sum = "SELECT COALESCE(SUM(bytes), 0) FROM signalingMailboxUse"
        var excess = (try Int.fetchOne(database, sql: sum) ?? 0) - limit
        while excess > 0 {
            let oldest = try Row.fetchOne(
                database,
                sql: "SELECT number, LENGTH(frame) AS size FROM signalingMailbox ORDER BY number LIMIT 1"
            )
            guard let oldest, let number = oldest["number"] as Int64?, let size = oldest["size"] as Int? else { return }
            try database.execute(sql: "DELETE FROM signalingMailbox WHERE number = ?", arguments: [number])
            excess -= size
        }
    }

    public func frames(
        for recipient: PeerID,
        after number: Int64,
        storedSince: Int64,
        maximumBytes: Int
    ) async throws -> [NumberedFrame] {
        try await database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT number, storedAt, frame FROM signalingMailbox
                    WHERE recipient = ? AND number > ? AND storedAt >= ? ORDER BY number
                    """,
                arguments: [recipient.storageKey, number, storedSince]
            )
            var frames: [NumberedFrame] = []
            var size = 0
            while size < maximumBytes, let row = try rows.next() {
                let bytes: Data = row["frame"]
                size += bytes.count
                frames.append(NumberedFrame(number: row["number"], storedAt: row["storedAt"], bytes: Array(bytes)))
            }
            return frames
        }
    }

    public func remove(for recipient: PeerID, through number: Int64) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM signalingMailbox WHERE recipient = ? AND number <= ?",
                arguments: [recipient.storageKey, number]
            )
        }
    }

    public func removeStored(before: Int64) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM signalingMailbox WHERE storedAt < ?", arguments: [before])
        }
    }

    public func count() async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(database, sql: "SELECT COALESCE(SUM(frames), 0) FROM signalingMailboxUse") ?? 0
        }
    }
}
