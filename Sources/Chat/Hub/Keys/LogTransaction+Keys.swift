import Accounts
import Chat
import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

extension LogTransaction {
    /// People who are told of a change at most: those beyond find it when they write or are written to.
    private static let toldLimit = 2000

    func append(_ entry: ChainEntry, of person: UserID, origin: String?) throws {
        guard try !isDeleted(person) else { throw ChatHubError.personUnknown }
        let newest = try ChatKeyReading(database).newestEntry(of: person)
        if let newest {
            guard newest.hash != entry.hash else { return }
            try follow(entry, on: newest)
        } else if entry.reason != .first {
            throw ChatHubError.notContinuation
        }
        try database.run(
            """
            INSERT INTO chat_list (person, number, hash, entry)
            VALUES (\(person.number), \(entry.number), \(Data(entry.hash)), \(Data(entry.json.canonicalBytes)))
            """
        )
        try endHandovers(of: person) { !entry.has($0) || !entry.has($1) }
        // Devices that wait to be added keep theirs.
        for device in newest?.devices ?? [] where !entry.has(device.did) {
            try database.run(
                "DELETE FROM chat_key WHERE person = \(person.number) AND device = \(device.did.text)"
            )
        }
        try tellKeysChanged(of: person, origin: origin)
    }

    private func follow(_ entry: ChainEntry, on newest: ChainEntry) throws {
        guard entry.reason == .lost else {
            do { try entry.checkFollows(newest) } catch {
                if case .tooLarge(_, let limit) = error { throw ChatHubError.limitReached(limit) }
                throw ChatHubError.notContinuation
            }
            return
        }
        guard entry.previous == newest.hash else { throw ChatHubError.notContinuation }
        try deleteChatKeys(of: newest.user)
    }

    func publish(_ bundle: KeyBundle, of person: UserID, origin: String?) throws {
        guard try !isDeleted(person) else { throw ChatHubError.personUnknown }
        guard let newest = try ChatKeyReading(database).newestEntry(of: person) else {
            throw ChatHubError.unlistedDevice
        }
        let isListed = newest.has(bundle.did)
        if !isListed { try makeRoom(forWaiting: bundle, of: person, besides: newest) }
        let device = bundle.did.text
        try database.run(
            """
            INSERT OR IGNORE INTO chat_key (person, device, made, kid, bundle)
            VALUES (\(person.number), \(device), \(bundle.made), \(Data(bundle.id.bytes)), \
            \(Data(bundle.json.canonicalBytes)))
            """
        )
        guard database.changesCount > 0 else { return }
        try database.run(
            """
            DELETE FROM chat_key WHERE person = \(person.number) AND device = \(device) AND (made, kid) NOT IN
                (SELECT made, kid FROM chat_key WHERE person = \(person.number) AND device = \(device)
                ORDER BY made DESC, kid LIMIT \(ChatKeyReading.liveKeys))
            """
        )
        try tellKeysChanged(of: person, origin: origin, toPeers: isListed)
    }

    /// Of the devices that wait to be added the ones that published lately are kept.
    private func makeRoom(forWaiting bundle: KeyBundle, of person: UserID, besides newest: ChainEntry) throws {
        let devices: [String] = try database.values(
            """
            SELECT device FROM chat_key WHERE person = \(person.number) AND device <> \(bundle.did.text)
            GROUP BY device ORDER BY max(made) DESC
            """
        )
        let listed = Set(newest.devices.map(\.did.text))
        for device in devices.filter({ !listed.contains($0) }).dropFirst(ChatKeyReading.waitingDevices - 1) {
            try database.run("DELETE FROM chat_key WHERE person = \(person.number) AND device = \(device)")
        }
    }

    func deleteChatKeys(of person: UserID) throws {
        try database.run("DELETE FROM chat_list WHERE person = \(person.number)")
        try database.run("DELETE FROM chat_key WHERE person = \(person.number)")
        try endHandovers(of: person) { _, _ in true }
    }

    /// - Throws: ``ChatHubError/outdatedLists(_:)``.
    func checkLists(of draft: MessageDraft, to receiver: UserID) throws {
        guard let named = draft.facts.lists else { return }
        let reading = ChatKeyReading(database)
        guard let sender = try reading.newestNumber(of: draft.sender),
            let other = try reading.newestNumber(of: receiver)
        else { return }
        let newest = ListNumbers(sender: sender, receiver: other)
        guard named == newest else { throw ChatHubError.outdatedLists(newest) }
    }

    func tellKeysChanged(of person: UserID, origin: String?, toPeers: Bool = true) throws {
        tell(ChatPush(person: person, change: .keysChanged(person), origin: origin))
        guard toPeers else { return }
        let peers: [Int64] = try database.values(
            """
            SELECT CASE c.low WHEN \(person.number) THEN c.high ELSE c.low END
            FROM chat_member m JOIN chat_conversation c ON c.id = m.conversation
            WHERE m.person = \(person.number) AND c.stage = \(ConversationStage.open.rawValue) LIMIT \(Self.toldLimit)
            """
        )
        for peer in peers.compactMap({ UserID($0) }) { tell(ChatPush(person: peer, change: .keysChanged(person))) }
    }
}
