import Foundation
package import GRDB
import Storage

/// The mailbox in SQLite. Nothing is lost in a restart; what was delivered is removed behind its delivery.
package struct SQLiteMailbox: Mailbox {
    private let database: any DatabaseWriter
    private let limits: SignalingLimits

    /// - Parameter database: With ``SignalingDatabase/migrations``.
    package init(_ database: any DatabaseWriter, limits: SignalingLimits = SignalingLimits()) {
        self.database = database
        self.limits = limits
    }

    package func store(_ frames: [MailboxFrame]) async throws -> [Bool] {
        try await database.write { [limits] database in
            var use = try Use(database)
            let outcomes = try frames.map { frame in
                try Self.store(frame, database, limits: limits, use: &use)
            }
            try Self.dropOldest(database, over: limits.mailboxBytes)
            return outcomes
        }
    }

    /// How much of the bounds over all devices is used.
    private struct Use {
        var mailboxes: Int
        /// Mailboxes that hold frames of senders without a proof, and the bytes of those.
        var unprovenMailboxes: Int
        var unprovenBytes: Int

        init(_ database: Database) throws {
            let row = try database.row("SELECT mailboxes, unprovenMailboxes, unprovenBytes FROM signalingMailboxTotal")
            mailboxes = row?["mailboxes"] ?? 0
            unprovenMailboxes = row?["unprovenMailboxes"] ?? 0
            unprovenBytes = row?["unprovenBytes"] ?? 0
        }

        /// Whether a frame of a sender without a proof fits into what such senders share.
        func hasUnprovenRoom(_ bytes: Int, isNewMailbox: Bool, _ limits: SignalingLimits) -> Bool {
            let share = limits.unprovenMailShare
            let fitsBytes = Double(unprovenBytes + bytes) <= share * Double(limits.mailboxBytes)
            // However small the share is, it is not nothing.
            let mailboxes = max(1, share * Double(limits.mailboxes))
            return fitsBytes && (!isNewMailbox || Double(unprovenMailboxes + 1) <= mailboxes)
        }
    }

    private static func store(
        _ frame: MailboxFrame,
        _ database: Database,
        limits: SignalingLimits,
        use: inout Use
    ) throws -> Bool {
        guard frame.bytes.count <= limits.mailboxBytes else { return false }
        let recipient = frame.recipient.storageKey
        let row = try database.row(
            "SELECT frames, unprovenFrames FROM signalingMailboxUse WHERE recipient = \(recipient)"
        )
        let waiting: Int = row?["frames"] ?? 0
        let isNewToUnproven = (row?["unprovenFrames"] ?? 0) == 0
        guard waiting > 0 || use.mailboxes < limits.mailboxes else { return false }
        guard frame.isProven || use.hasUnprovenRoom(frame.bytes.count, isNewMailbox: isNewToUnproven, limits) else {
            return false
        }
        if let sender = frame.sender?.storageKey {
            let sent =
                try database.value("SELECT COUNT(*) FROM signalingMailbox WHERE sender = \(sender)") ?? 0
            guard sent < limits.mailboxFramesPerSender else { return false }
        }
        try database.run(
            """
            INSERT INTO signalingMailbox (recipient, sender, isProven, storedAt, frame)
            VALUES (
                \(recipient), \(frame.sender?.storageKey), \(frame.isProven), \(frame.storedAt), \(Data(frame.bytes))
            )
            """
        )
        if waiting == 0 { use.mailboxes += 1 }
        if !frame.isProven {
            use.unprovenBytes += frame.bytes.count
            if isNewToUnproven { use.unprovenMailboxes += 1 }
        }
        if waiting >= limits.mailboxFrames {
            try database.run(
                """
                DELETE FROM signalingMailbox WHERE number IN (
                    SELECT number FROM signalingMailbox WHERE recipient = \(recipient) ORDER BY number
                        LIMIT \(waiting + 1 - limits.mailboxFrames))
                """
            )
        }
        return true
    }

    private static func dropOldest(_ database: Database, over limit: Int) throws {
        var excess = (try database.value("SELECT bytes FROM signalingMailboxTotal") ?? 0) - limit
        while excess > 0 {
            let oldest = try database.row(
                "SELECT number, LENGTH(frame) AS size FROM signalingMailbox ORDER BY number LIMIT 1"
            )
            guard let oldest, let number = oldest["number"] as Int64?, let size = oldest["size"] as Int? else { return }
            try database.run("DELETE FROM signalingMailbox WHERE number = \(number)")
            excess -= size
        }
    }

    package func frames(
        for recipient: PeerID,
        after number: Int64,
        storedSince: Int64,
        maximumBytes: Int
    ) async throws -> [NumberedFrame] {
        try await database.read { database in
            let rows = try database.cursor(
                """
                SELECT number, storedAt, frame FROM signalingMailbox
                WHERE recipient = \(recipient.storageKey) AND number > \(number) AND storedAt >= \(storedSince)
                    ORDER BY number
                """
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

    package func remove(for recipient: PeerID, through number: Int64) async throws {
        try await database.write { database in
            try database.run(
                "DELETE FROM signalingMailbox WHERE recipient = \(recipient.storageKey) AND number <= \(number)"
            )
        }
    }

    package func removeStored(before: Int64) async throws {
        try await database.write { database in
            try database.run("DELETE FROM signalingMailbox WHERE storedAt < \(before)")
        }
    }

    package func count() async throws -> Int {
        try await database.read { database in
            try database.value("SELECT COALESCE(SUM(frames), 0) FROM signalingMailboxUse") ?? 0
        }
    }
}
