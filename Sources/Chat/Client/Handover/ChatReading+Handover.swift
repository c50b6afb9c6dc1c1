import Accounts
import Chat
import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

extension ChatReading {
    /// What this device read of sealed messages that are still there, by the hub's word.
    private var handedOver: SQL {
        let gone = MessageState([.recalled, .destroyed, .deleted, .control]).rawValue
        return """
            FROM messenger_message m JOIN messenger_conversation c ON c.id = m.conversation
            WHERE c.account = \(account) AND m.seq IS NOT NULL AND m.trouble IS NULL
                AND m.state & \(MessageState.sealed.rawValue) <> 0 AND m.state & \(gone) = 0
                AND m.status = \(MessageStatus.success.rawValue)
            """
    }

    /// Messages that can be handed over; view-once pictures, which are not, are counted among them.
    func countForHandover() throws -> Int {
        try database.value("SELECT count(*) \(literal: handedOver)") ?? 0
    }

    /// Messages that can be handed over, behind a place, the newest first.
    func messagesForHandover(
        behind place: OfferingRecord.Place?,
        limit: Int
    ) throws -> [(message: MessageRecord, place: OfferingRecord.Place)] {
        let place = place ?? OfferingRecord.Place(time: .max, row: .max)
        return try database.rows(
            """
            SELECT \(sql: MessageRecord.columns), c.peer \(literal: handedOver)
                AND (m.sendTime, m.id) < (\(place.time), \(place.row))
            ORDER BY m.sendTime DESC, m.id DESC LIMIT \(limit)
            """
        ).compactMap { row in
            guard let id = UserID(row["peer"] as Int64).flatMap({ ConversationID(me, $0) }),
                let message = MessageRecord(row, in: id)
            else { return nil }
            return (message, OfferingRecord.Place(time: row["sendTime"], row: row["id"]))
        }
    }

    func offerings() throws -> [OfferingRecord] {
        try database.rows("SELECT * FROM messenger_offering WHERE account = \(account) ORDER BY began, device")
            .compactMap(OfferingRecord.init)
    }

    /// The pages of an offer that were uploaded, in their order.
    func offeredPages(to device: DID) throws -> [HandoverIndex.Page] {
        let pages: [String] = try database.values(
            """
            SELECT page FROM messenger_offering_part WHERE account = \(account) AND device = \(device.text) ORDER BY number
            """
        )
        return try pages.map { text in
            guard let page = try? HandoverIndex.Page(JSONValue(parsing: text.utf8)) else { throw StorageError.damaged }
            return page
        }
    }

    func taking(_ offer: [UInt8]) throws -> TakingRecord? {
        try database.row(
            "SELECT * FROM messenger_taking WHERE account = \(account) AND offer = \(Data(offer))"
        ).map(TakingRecord.init)
    }

    /// The newest that was begun; nil for none.
    func newestTaking() throws -> TakingRecord? {
        try database.row(
            "SELECT * FROM messenger_taking WHERE account = \(account) ORDER BY began DESC, offer LIMIT 1"
        ).map(TakingRecord.init)
    }
}
