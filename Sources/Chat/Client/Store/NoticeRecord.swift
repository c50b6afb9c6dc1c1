import Accounts
import Chat
import Foundation
import GRDB
import Kernel
import Storage

/// A line that this device puts into a conversation: the other person's list of devices changed. The hub knows nothing of it.
struct NoticeRecord: Hashable, Sendable {
    let row: Int64
    let conversation: ConversationID
    /// The newest place when it was noticed; 0 before the first message.
    let place: Int64
    /// Milliseconds since 1970, by this device's clock.
    let time: Int64
    let change: DeviceChange

    static let columns = "id, place, time, change"

    init(row: Int64, conversation: ConversationID, place: Int64, time: Int64, change: DeviceChange) {
        self.row = row
        self.conversation = conversation
        self.place = place
        self.time = time
        self.change = change
    }

    /// Nil for a row that something damaged.
    init?(_ row: Row, in conversation: ConversationID) {
        guard let change = try? JSONValue(parsing: (row["change"] as String).utf8).decode(as: DeviceChange.self) else {
            return nil
        }
        self.init(row: row["id"], conversation: conversation, place: row["place"], time: row["time"], change: change)
    }
}

extension ChatReading {
    /// Up to where the other person's lists of devices were told in a conversation; nil for nothing.
    func devicePlace(in record: ConversationRecord) throws -> DeviceListPlace? {
        try database.row("SELECT start, number FROM messenger_devices WHERE conversation = \(record.row)").map { row in
            DeviceListPlace(start: Array(row["start"] as Data), number: row["number"])
        }
    }

    /// The lines behind these places, the earliest first; of more than `limit` the newest.
    func notices(in record: ConversationRecord, behind places: ClosedRange<Int64>, limit: Int) throws -> [NoticeRecord]
    {
        try database.rows(
            """
            SELECT \(sql: NoticeRecord.columns) FROM messenger_notice
            WHERE conversation = \(record.row) AND place BETWEEN \(places.lowerBound) AND \(places.upperBound)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).compactMap { NoticeRecord($0, in: record.id) }.reversed()
    }
}

extension ChatTransaction {
    /// Lines that one look puts into a conversation at most: the newest, of somebody who changed devices for years unseen.
    private static let noticeLimit = 100

    /// Puts a line for each change into a conversation, and notes that it is told.
    func note(_ devices: DeviceChanges, in record: ConversationRecord, at time: Int64) throws {
        let known = try reading.devicePlace(in: record)
        guard known != devices.upTo else { return }
        try database.run(
            """
            INSERT OR REPLACE INTO messenger_devices (conversation, start, number)
            VALUES (\(record.row), \(Data(devices.upTo.start)), \(devices.upTo.number))
            """
        )
        for change in devices.changes.suffix(Self.noticeLimit) {
            try database.run(
                """
                INSERT INTO messenger_notice (conversation, place, time, change)
                VALUES (\(record.row), \(record.newest), \(time), \(try JSONValue(encoding: change).canonicalText))
                """
            )
            noteNotice(
                NoticeRecord(
                    row: database.lastInsertedRowID,
                    conversation: record.id,
                    place: record.newest,
                    time: time,
                    change: change
                )
            )
        }
    }
}
