import Accounts
import Chat
import GRDB
import Storage

/// The deletion of an account. It begins with one transaction and goes on in bounded parts, so that an account of a million messages holds up
/// nobody; what was done is on disk, so that a crash in between only repeats a part.
extension LogTransaction {
    func beginDeletion(of person: UserID, at now: Int64) throws {
        try database.run(
            """
            INSERT INTO chat_person (person, deletedAt) VALUES (\(person.number), \(now))
            ON CONFLICT (person) DO UPDATE SET deletedAt = coalesce(deletedAt, excluded.deletedAt)
            """
        )
        try database.run("DELETE FROM chat_block WHERE person = \(person.number) OR blocked = \(person.number)")
        try database.run("UPDATE chat_report SET reporter = NULL WHERE reporter = \(person.number)")
        try database.run("UPDATE chat_report SET content = x'' WHERE reported = \(person.number)")
        try database.run("UPDATE chat_member SET draft = NULL WHERE person = \(person.number) AND draft IS NOT NULL")
        try deleteChatKeys(of: person)
        // At most `eventLimit` rows.
        try database.run("DELETE FROM chat_event WHERE person = \(person.number)")
        markBlanked()
    }

    func continueDeletion(of person: UserID, limit: Int, at now: Int64) throws -> Bool {
        guard try isDeleted(person) else { throw ChatHubError.notFound }
        let found = try database.row(
            """
            SELECT c.id, c.low, c.high, c.stage, p.person IS NOT NULL AS hasPeer
            FROM chat_member m JOIN chat_conversation c ON c.id = m.conversation
            LEFT JOIN chat_member p ON p.conversation = c.id
                AND p.person = CASE c.low WHEN \(person.number) THEN c.high ELSE c.low END
            WHERE m.person = \(person.number) ORDER BY m.conversation LIMIT 1
            """
        )
        guard let found else {
            try database.run("UPDATE chat_person SET isErased = 1 WHERE person = \(person.number)")
            return true
        }
        guard let conversation = ConversationID(numbers: found) else { throw StorageError.damaged }
        let row: Int64 = found["id"]
        // The peer keeps what both wrote; a request that was never accepted is nobody's, and neither is what two deleted people wrote.
        let isKept = found["hasPeer"] && found["stage"] == ConversationStage.open.rawValue
        let isDone =
            isKept
            ? try leave(conversation, row, person, limit: limit) : try erase(conversation, row, limit: limit)
        if isDone, isKept {
            try database.run("DELETE FROM chat_member WHERE person = \(person.number) AND conversation = \(row)")
            if let peer = conversation.peer(of: person), try !isDeleted(peer) {
                try record(.peerDeleted(conversation), for: peer, in: row)
            }
        }
        return false
    }

    /// - Returns: Whether nothing of the person's own is left there.
    private func leave(_ conversation: ConversationID, _ row: Int64, _ person: UserID, limit: Int) throws -> Bool {
        let seqs: [Int64] = try database.values(
            """
            SELECT seq FROM chat_flash WHERE conversation = \(row) AND stage < \(FlashStage.destroyed.rawValue) LIMIT \(limit)
            """
        )
        for seq in seqs { try destroy(row: row, seq: seq, in: conversation) }
        guard seqs.count < limit else { return false }
        try database.run(
            """
            DELETE FROM chat_deletion WHERE person = \(person.number) AND conversation = \(row) AND seq IN
                (SELECT seq FROM chat_deletion WHERE person = \(person.number) AND conversation = \(row) LIMIT \(limit))
            """
        )
        return database.changesCount < limit
    }

    /// Removes a conversation with all that is in it.
    ///
    /// - Returns: Whether nothing is left.
    private func erase(_ conversation: ConversationID, _ row: Int64, limit: Int) throws -> Bool {
        let seqs: [Int64] = try database.values(
            "SELECT seq FROM chat_message WHERE conversation = \(row) ORDER BY seq LIMIT \(limit)"
        )
        guard let last = seqs.last else {
            for person in conversation.people {
                try database.run(
                    "DELETE FROM chat_member WHERE person = \(person.number) AND conversation = \(row)"
                )
            }
            try database.run("DELETE FROM chat_conversation WHERE id = \(row)")
            return true
        }
        for seq in seqs { _ = try endFlash(row: row, seq: seq) }
        let keys: [String] = try database.values(
            "SELECT objectKey FROM chat_object WHERE conversation = \(row) AND seq <= \(last)"
        )
        for key in keys { try release(key) }
        for table in ["chat_object", "chat_flash", "chat_message"] {
            try database.run("DELETE FROM \(sql: table) WHERE conversation = \(row) AND seq <= \(last)")
        }
        for person in conversation.people {
            try database.run(
                """
                DELETE FROM chat_deletion
                WHERE person = \(person.number) AND conversation = \(row) AND seq <= \(last)
                """
            )
        }
        markBlanked()
        return false
    }
}
