import Accounts
import Chat
import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

extension LogTransaction {
    func offer(
        _ offer: HandoverOffer,
        objects keys: [String],
        of person: UserID,
        origin: String?,
        at now: Int64
    ) throws {
        guard try !isDeleted(person) else { throw ChatHubError.personUnknown }
        guard let newest = try ChatKeyReading(database).newestEntry(of: person), newest.has(offer.sender),
            newest.has(offer.receiver)
        else { throw ChatHubError.unlistedDevice }
        let id = Data(offer.id)
        let known: Int? = try database.value(
            "SELECT 1 FROM chat_handover WHERE person = \(person.number) AND id = \(id)"
        )
        guard known == nil else { return }
        try endHandovers(of: person) { $1 == offer.receiver }
        let count: Int? = try database.value("SELECT count(*) FROM chat_handover WHERE person = \(person.number)")
        guard count ?? 0 < ChatLimits.handovers else { throw ChatHubError.limitReached(ChatLimits.handovers) }
        try database.run(
            """
            INSERT INTO chat_handover (person, id, sender, receiver, offer, offeredAt)
            VALUES (\(person.number), \(id), \(offer.sender.text), \(offer.receiver.text), \
            \(Data(offer.json.canonicalBytes)), \(now))
            """
        )
        for key in keys {
            try objects.retain(key, uploadedBy: person, isViewOnce: false, in: database)
            try database.run(
                """
                INSERT INTO chat_handover_object (person, id, objectKey)
                VALUES (\(person.number), \(id), \(key))
                """
            )
        }
        try tellKeysChanged(of: person, origin: origin, toPeers: false)
    }

    func endHandover(_ id: [UInt8], of person: UserID, origin: String?) throws {
        let id = Data(id)
        let known: Int? = try database.value(
            "SELECT 1 FROM chat_handover WHERE person = \(person.number) AND id = \(id)"
        )
        guard known != nil else { return }
        try removeHandover(id, of: person.number)
        try tellKeysChanged(of: person, origin: origin, toPeers: false)
    }

    /// Lets go of the person's offers between devices that `isOver` names, the sending one first.
    func endHandovers(of person: UserID, where isOver: (DID, DID) -> Bool) throws {
        let rows = try database.rows(
            "SELECT id, sender, receiver FROM chat_handover WHERE person = \(person.number)"
        )
        for row in rows {
            guard let sender = try? DID(row["sender"] as String), let receiver = try? DID(row["receiver"] as String)
            else { throw StorageError.damaged }
            if isOver(sender, receiver) { try removeHandover(row["id"], of: person.number) }
        }
    }

    func sweepHandovers(at now: Int64, limit: Int) throws -> Int {
        let rows = try database.rows(
            """
            SELECT person, id FROM chat_handover WHERE offeredAt <= \(now - HandoverOffer.lifetime)
            ORDER BY offeredAt LIMIT \(limit)
            """
        )
        for row in rows {
            try removeHandover(row["id"], of: row["person"])
            if let person = UserID(row["person"] as Int64) {
                try tellKeysChanged(of: person, origin: nil, toPeers: false)
            }
        }
        return rows.count
    }

    private func removeHandover(_ id: Data, of person: Int64) throws {
        let keys: [String] = try database.values(
            "SELECT objectKey FROM chat_handover_object WHERE person = \(person) AND id = \(id)"
        )
        for key in keys { try release(key) }
        try database.run("DELETE FROM chat_handover_object WHERE person = \(person) AND id = \(id)")
        try database.run("DELETE FROM chat_handover WHERE person = \(person) AND id = \(id)")
    }
}
