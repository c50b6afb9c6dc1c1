package import Accounts
import Chat
package import ChatSealing
package import Kernel

extension SQLiteMessageLog {
    package func append(_ entry: ChainEntry, of person: UserID, origin: String?) async throws {
        try await write(cost: Self.rowCost + ChainEntry.byteLimit) {
            try $0.append(entry, of: person, origin: origin)
        }
    }

    package func publish(_ bundle: KeyBundle, of person: UserID, origin: String?) async throws {
        try await write { try $0.publish(bundle, of: person, origin: origin) }
    }

    package func chains(of people: [(person: UserID, after: Int64)]) async throws -> [KeptChain] {
        try await reading { reading in
            var room = ChatLimits.chainBytes
            return try people.compactMap {
                try ChatKeyReading(reading.database).chain(of: $0.person, after: $0.after, room: &room)
            }
        }
    }

    package func bundles(of people: [UserID], for asker: UserID) async throws -> [UserID: [JSONValue]] {
        try await reading { reading in
            var found: [UserID: [JSONValue]] = [:]
            for person in people {
                let bundles = try ChatKeyReading(reading.database).bundles(of: person, isOwn: person == asker)
                if !bundles.isEmpty { found[person] = bundles }
            }
            return found
        }
    }
}
