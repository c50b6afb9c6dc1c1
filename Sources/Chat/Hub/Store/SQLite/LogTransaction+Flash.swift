import Accounts
import Chat
import Foundation
import GRDB
import Principals
import Storage

/// View-once pictures: sealed, then opened by one device under a lease, then destroyed. No step goes back.
extension LogTransaction {
    private static let leaseUse = "flash"

    func openFlash(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by person: UserID,
        device: String,
        until end: Int64,
        at now: Int64
    ) throws -> FlashLease {
        let place = try existingPlace(of: person, in: conversation)
        guard let (message, _) = try LogReading(database).raw(target, at: place), message.kind == .flash,
            message.seq >= place.minSeq
        else { throw ChatHubError.notFound }
        guard message.sender == place.peer else { throw ChatHubError.viewOnce }
        let secret = Secret()
        // The first one wins: a second device, and a second look, find it opened.
        try database.run(
            """
            UPDATE chat_flash SET stage = \(FlashStage.opened.rawValue), dueAt = \(end), device = \(device),
                lease = \(Data(secret.hash(for: Self.leaseUse).bytes))
            WHERE conversation = \(place.row) AND seq = \(message.seq) AND stage = \(FlashStage.sealed.rawValue)
                AND dueAt > \(now)
            """
        )
        guard database.changesCount == 1 else { throw ChatHubError.alreadyViewed }
        try database.run(
            """
            UPDATE chat_message SET bits = bits | \(MessageBits.opened)
            WHERE conversation = \(place.row) AND seq = \(message.seq)
            """
        )
        return FlashLease(secret: secret.text, endsAt: end)
    }

    static func leaseHash(_ secret: String) -> Data { Data(SecretHash(of: secret, for: leaseUse).bytes) }

    func destroyFlash(_ flash: LeasedFlash, at now: Int64) throws {
        let (low, high) = flash.conversation.numbers
        let row: Int64? = try database.value("SELECT id FROM chat_conversation WHERE low = \(low) AND high = \(high)")
        // Of two transfers that end together, only the one that destroys it may send the last bytes.
        guard let row, try destroy(row: row, seq: flash.seq, in: flash.conversation) else {
            throw ChatHubError.alreadyViewed
        }
    }

    /// The receiver says that the picture was seen.
    func consume(_ clientID: String, sentBy sender: UserID, row: Int64, in conversation: ConversationID) throws {
        let found = try database.row(
            """
            SELECT seq, kind FROM chat_message
            WHERE sender = \(sender.number) AND clientID = \(CompactID.bytes(clientID)) AND conversation = \(row)
            """
        )
        guard let found, found["kind"] == MessageKind.flash.rawValue else { throw ChatHubError.notFound }
        try destroy(row: row, seq: found["seq"], in: conversation)
    }

    func sweepFlashes(at now: Int64, limit: Int) throws -> Int {
        // The stage is written out, as it stands in the index.
        let due = try database.rows(
            """
            SELECT f.conversation, f.seq, c.low, c.high FROM chat_flash f JOIN chat_conversation c ON c.id = f.conversation
            WHERE f.stage < 2 AND f.dueAt <= \(now) ORDER BY f.dueAt LIMIT \(limit)
            """
        )
        for row in due {
            guard let conversation = ConversationID(numbers: row) else { throw StorageError.damaged }
            try destroy(row: row["conversation"], seq: row["seq"], in: conversation)
        }
        return due.count
    }

    /// Destroys a picture and tells both people. One that is destroyed stays so.
    ///
    /// - Returns: Whether it was not destroyed before.
    @discardableResult
    func destroy(row: Int64, seq: Int64, in conversation: ConversationID) throws -> Bool {
        guard try endFlash(row: row, seq: seq) else { return false }
        try blank(row, seq: seq, setting: MessageBits.destroyed)
        let clientID: Data? = try database.value(
            "SELECT clientID FROM chat_message WHERE conversation = \(row) AND seq = \(seq)"
        )
        let change = ChatChange.destroyed(
            conversation,
            seq: seq,
            clientMessageID: clientID.map(CompactID.text) ?? ""
        )
        for person in conversation.people where try !isDeleted(person) { try record(change, for: person, in: row) }
        return true
    }

    /// Ends the life of a picture: its object's reference goes in this transaction, its file after it.
    ///
    /// - Returns: Whether it was not destroyed before.
    func endFlash(row: Int64, seq: Int64) throws -> Bool {
        let key: String? = try database.value(
            """
            SELECT objectKey FROM chat_flash
            WHERE conversation = \(row) AND seq = \(seq) AND stage < \(FlashStage.destroyed.rawValue)
            """
        )
        guard let key else { return false }
        try database.run(
            """
            UPDATE chat_flash SET stage = \(FlashStage.destroyed.rawValue), objectKey = NULL, device = NULL, lease = NULL
            WHERE conversation = \(row) AND seq = \(seq)
            """
        )
        try release(key)
        markBlanked()
        return true
    }
}
