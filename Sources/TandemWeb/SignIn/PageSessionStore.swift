import Kernel
import Principals
import Storage

/// The signed-in browsers of a page in the role's database. The id of an entry is its hash as a text.
struct PageSessionStore: BearerStore {
    typealias Holder = Principal

    let sessions: PageSessions

    static func id(_ hash: [UInt8]) -> String { Base64URL.encode(hash) }

    /// Those whose time is not over, the oldest first.
    func all(at milliseconds: Int64) throws -> [BearerEntry<Principal>] {
        try sessions.open(at: milliseconds).map { session in
            BearerEntry<Principal>(
                id: Self.id(session.hash),
                holder: .owner,
                hash: SecretHash(kept: session.hash),
                createdAt: session.begunAt,
                endsAt: session.endsAt
            )
        }
    }

    func insert(_ entry: BearerEntry<Principal>) async throws {
        try await sessions.add(
            PageSessions.Entry(hash: entry.hash.bytes, begunAt: entry.createdAt, endsAt: entry.endsAt ?? .max)
        )
    }

    /// A cookie has no successor, and a browser's visits are not kept.
    func update(_ entry: BearerEntry<Principal>) async throws {}

    func remove(_ ids: [String]) async throws {
        for hash in ids.compactMap({ Base64URL.decode($0) }) { try await sessions.remove(hash) }
    }

    func removeAll() async throws { try await sessions.removeAll() }
}
