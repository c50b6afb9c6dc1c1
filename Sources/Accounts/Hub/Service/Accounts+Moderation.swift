import Accounts
import Capabilities
import Foundation
import GRDB
import Kernel
import Logging
import Principals
import Sealing

/// What the hub's operator does with accounts.
extension Accounts {
    /// Lets an account do nothing until it is resumed. Its sessions open nothing from now on, and stay for that day.
    ///
    /// - Throws: What the database says; the account is suspended in memory then, until the hub ends.
    func suspend(_ person: UserID) async throws {
        sessions.close(person)
        try await database.write { try AccountTables.set(isSuspended: true, of: person, in: $0) }
        logger.notice("an account was suspended", metadata: ["account": "\(person)"])
    }

    /// - Throws: What the database says.
    func resume(_ person: UserID) async throws {
        try await database.write { try AccountTables.set(isSuspended: false, of: person, in: $0) }
        sessions.reopen(person)
        logger.notice("an account was resumed", metadata: ["account": "\(person)"])
    }

    /// Ends all sessions of a person.
    ///
    /// - Returns: How many there were.
    /// - Throws: What the database says.
    func endSessions(of person: UserID) async throws -> Int {
        let ids = sessions.all(of: person).map(\.id)
        try await sessions.end(ids, of: person)
        return ids.count
    }

    /// A page of accounts by their numbers, and how many there are in all.
    func page(after: Int64, limit: Int) async throws -> (accounts: [Account], total: Int) {
        try await database.read { database in
            (
                try AccountTables.accounts(after: after, limit: limit, in: database),
                try AccountTables.count(in: database)
            )
        }
    }

    /// The devices of people that have one of these keys.
    ///
    /// - Throws: What the database says.
    func knownDevices(_ keys: Set<DID>) async throws -> [DID: KnownDevice] {
        let sessions = sessions.sessions(withKeys: keys)
        let people = try await accounts(Set(sessions.values.map(\.holder.person)))
        let names = Dictionary(people.map { ($0.person, $0.name.text) }) { first, _ in first }
        return sessions.compactMapValues { session in
            names[session.holder.person].map { KnownDevice(name: session.holder.name, person: $0) }
        }
    }
}
