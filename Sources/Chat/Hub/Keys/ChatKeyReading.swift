import Accounts
import Chat
import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

/// What is read of lists of devices and of chat keys, within a transaction or beside the writer.
struct ChatKeyReading {
    /// Keys of one device.
    static let liveKeys = 2
    /// Devices of a person that published a key and are in no list yet.
    static let waitingDevices = 8

    let database: Database

    init(_ database: Database) { self.database = database }

    func newestNumber(of person: UserID) throws -> Int64? {
        try database.value("SELECT max(number) FROM chat_list WHERE person = \(person.number)") as Int64?
    }

    func newestEntry(of person: UserID) throws -> ChainEntry? {
        let bytes: Data? = try database.value(
            "SELECT entry FROM chat_list WHERE person = \(person.number) ORDER BY number DESC LIMIT 1"
        )
        return try bytes.map { bytes in
            guard let entry = try? ChainEntry(JSONValue(parsing: bytes)) else { throw StorageError.damaged }
            return entry
        }
    }

    /// - Parameter room: Bytes that are left of the answer; an entry is handed out whole or not at all.
    func chain(of person: UserID, after number: Int64, room: inout Int) throws -> KeptChain? {
        let start: Data? = try database.value(
            "SELECT hash FROM chat_list WHERE person = \(person.number) AND number = 0"
        )
        guard let start, let newest = try newestNumber(of: person) else { return nil }
        let contents: [Data] = try database.values(
            """
            SELECT entry FROM chat_list WHERE person = \(person.number) AND number > \(number)
            ORDER BY number LIMIT \(ChatLimits.chainEntries)
            """
        )
        var entries: [JSONValue] = []
        for bytes in contents {
            guard bytes.count <= room else { break }
            room -= bytes.count
            entries.append(try JSONValue(parsing: bytes))
        }
        return KeptChain(person: person, newest: newest, start: Array(start), entries: entries)
    }

    /// - Parameter isOwn: Whether those of devices that wait to be added are among them.
    func bundles(of person: UserID, isOwn: Bool) throws -> [JSONValue] {
        let newest = try newestEntry(of: person)
        let listed = Set((newest?.devices ?? []).map(\.did.text))
        let rows = try database.rows(
            "SELECT device, bundle FROM chat_key WHERE person = \(person.number) ORDER BY made DESC, device, kid"
        )
        return try rows.filter { isOwn || listed.contains($0["device"]) }.prefix(ChatLimits.chatKeys).map {
            try JSONValue(parsing: $0["bundle"] as Data)
        }
    }
}
