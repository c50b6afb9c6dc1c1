import Accounts
import Chat
import GRDB
import Kernel
import Storage

/// Where devices can be woken. A row goes with the session of its device.
enum PushTable {
    /// A device that can be woken.
    struct Entry: Hashable, Sendable {
        let device: String
        let subscription: RegisterPush.Subscription
        let showsText: Bool
    }

    /// After those of accounts.
    static let migrations = [
        Migration(
            "chat-push-1",
            sql: """
                CREATE TABLE chat_push (
                    device TEXT PRIMARY KEY NOT NULL REFERENCES account_session ON DELETE CASCADE,
                    person INTEGER NOT NULL,
                    -- The members of a subscription, JSON.
                    subscription TEXT NOT NULL,
                    showsText INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX chat_push_person ON chat_push (person);
                """
        )
    ]

    static func set(_ entry: Entry, of person: UserID, in database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO chat_push VALUES
                (\(entry.device), \(person.number), \(entry.subscription.wire.canonicalText), \(entry.showsText))
            """
        )
    }

    static func remove(_ device: String, in database: Database) throws {
        try database.run("DELETE FROM chat_push WHERE device = \(device)")
    }

    /// Removes a subscription that is over, unless another has taken its place.
    static func remove(_ entry: Entry, in database: Database) throws {
        try database.run(
            """
            DELETE FROM chat_push
            WHERE device = \(entry.device) AND subscription = \(entry.subscription.wire.canonicalText)
            """
        )
    }

    /// All devices, with their people.
    static func devices(in database: Database) throws -> [(person: UserID, device: String)] {
        try database.rows("SELECT person, device FROM chat_push").compactMap { row in
            UserID(row["person"] as Int64).map { (person: $0, device: row["device"] as String) }
        }
    }

    /// A person has as many as devices.
    static func entries(of person: UserID, in database: Database) throws -> [Entry] {
        try database.rows("SELECT * FROM chat_push WHERE person = \(person.number) ORDER BY device").compactMap { row in
            guard let wire = try? JSONValue(parsing: (row["subscription"] as String).utf8),
                let subscription = try? RegisterPush.Subscription(wire: wire)
            else { return nil }
            return Entry(device: row["device"], subscription: subscription, showsText: row["showsText"])
        }
    }
}
