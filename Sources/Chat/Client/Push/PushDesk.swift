import Chat
import GRDB
import Kernel
import Storage

/// Where this phone is woken while it is closed, as its page said: one place for whatever account is signed in. The hub's copy goes with a session,
/// so each session is told of it.
struct PushDesk: Sendable {
    private let database: any DatabaseWriter
    private let changed = Broadcaster<Void>(capacity: 1)

    /// - Parameter database: With the tables of ``ChatStore``.
    init(_ database: any DatabaseWriter) { self.database = database }

    /// Tells of each change, for the session that tells the hub.
    func changes() -> AsyncStream<Void> { changed.subscribe() }

    /// - Throws: What the disk says.
    func set(_ change: RegisterPush.Change) async throws {
        let body = RegisterPush(change).wire.canonicalText
        try await telling {
            try await database.write { database in
                try database.run("INSERT OR REPLACE INTO messenger_push (id, request) VALUES (1, \(body))")
            }
        }
        changed.send(())
    }

    /// What the hub is to be told; ``RegisterPush/Change/none`` where the page never said anything, or what it ended was told.
    ///
    /// - Throws: What the disk says.
    func change() async throws -> RegisterPush.Change {
        let body: String? = try await telling {
            try await database.read { try $0.value("SELECT request FROM messenger_push WHERE id = 1") }
        }
        guard let body, let wire = try? JSONValue(parsing: body.utf8), let kept = try? RegisterPush(wire: wire) else {
            return .none
        }
        return kept.change
    }

    /// The hub knows that this phone is not woken any more: nothing is left to be told, unless the page has said otherwise meanwhile.
    func forgetRemoval() async throws {
        let body = RegisterPush(.remove).wire.canonicalText
        try await telling {
            try await database.write { try $0.run("DELETE FROM messenger_push WHERE request = \(body)") }
        }
    }

    private func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch { throw StorageError.telling(error) }
    }
}
