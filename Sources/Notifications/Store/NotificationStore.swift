import Commands
package import GRDB
import Kernel
package import Storage

/// A phone's notifications of all its computers, in its database: rows, where it stands with each computer, what is still to be shown.
///
/// Each change is one transaction: rows, the number that they reach to and what they want shown are on disk together or not at all.
package struct NotificationStore: Sendable {
    /// Notifications that are kept of one computer, and the bytes of their texts.
    package struct Bounds: Sendable {
        package var rows = 2000
        package var bytes = 32 << 20
        /// While the phone catches up nothing goes, so that nothing comes twice; but no computer can fill the disk.
        package var rowsWhileBehind = 20_000
        package var bytesWhileBehind = 256 << 20

        package init() {}
    }

    package static let migrations = [
        Migration(
            "notification-phone-1",
            sql: """
                CREATE TABLE notificationInbox (
                    position INTEGER PRIMARY KEY AUTOINCREMENT, computer TEXT NOT NULL, id TEXT NOT NULL,
                    createdAt INTEGER NOT NULL, sequence INTEGER, alert INTEGER NOT NULL, presented INTEGER NOT NULL,
                    isShown INTEGER NOT NULL, isRead INTEGER NOT NULL, readBy TEXT, deletedBy TEXT,
                    generation INTEGER NOT NULL, bytes INTEGER NOT NULL, row TEXT NOT NULL, UNIQUE (computer, id)
                ) STRICT;
                CREATE INDEX notificationInboxByTime ON notificationInbox (computer, createdAt, position, bytes);
                CREATE INDEX notificationInboxOfAll ON notificationInbox (createdAt, position);
                CREATE INDEX notificationInboxUnread ON notificationInbox (computer)
                    WHERE isRead = 0 AND readBy IS NULL AND deletedBy IS NULL;
                CREATE INDEX notificationInboxToShow ON notificationInbox (computer, alert)
                    WHERE alert > presented AND isRead = 0;
                CREATE INDEX notificationInboxMarked ON notificationInbox (readBy, deletedBy)
                    WHERE readBy IS NOT NULL OR deletedBy IS NOT NULL;
                CREATE TABLE notificationWithdrawal (
                    computer TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (computer, id)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE notificationCursor (
                    computer TEXT PRIMARY KEY, epoch TEXT, after INTEGER NOT NULL, settled INTEGER NOT NULL,
                    generation INTEGER NOT NULL, isRebuilding INTEGER NOT NULL, isForeign INTEGER NOT NULL,
                    kept INTEGER NOT NULL, alerts INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE notificationPreference (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE notificationPushTold (computer TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
                """
        ),
        Migration(
            "notification-phone-2",
            sql: """
                ALTER TABLE notificationCursor ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
                UPDATE notificationCursor SET newest = (
                    SELECT COALESCE(MAX(createdAt), 0) FROM notificationInbox
                    WHERE notificationInbox.computer = notificationCursor.computer
                );
                """
        ),
    ]

    let database: any DatabaseWriter
    let bounds: Bounds

    /// - Parameter database: The role's, with these ``migrations``.
    package init(_ database: any DatabaseWriter, bounds: Bounds = Bounds()) {
        self.database = database
        self.bounds = bounds
    }

    /// Rows of a page, at most.
    static let pageLimit = 500

    // MARK: Settings

    func settings() async throws -> LocalNotificationSettings {
        try await database.read { try Self.settings($0) }
    }

    static func settings(_ database: Database) throws -> LocalNotificationSettings {
        let value = try preference(database, "settings").flatMap { try? JSONValue(parsing: $0.utf8) }
        return value.flatMap { try? $0.decode(as: LocalNotificationSettings.self) } ?? LocalNotificationSettings()
    }

    /// In one transaction, so that of two changes at a time none is lost.
    func change(
        _ change: @escaping @Sendable (inout LocalNotificationSettings) -> Void
    ) async throws -> LocalNotificationSettings {
        try await database.write { database in
            var settings = try Self.settings(database)
            change(&settings)
            try Self.save(database, "settings", JSONValue(encoding: settings).canonicalText)
            return settings
        }
    }

    private static func preference(_ database: Database, _ name: String) throws -> String? {
        try database.value("SELECT value FROM notificationPreference WHERE name = \(name)")
    }

    private static func save(_ database: Database, _ name: String, _ value: String) throws {
        try database.run(
            """
            INSERT INTO notificationPreference VALUES (\(name), \(value)) ON CONFLICT DO UPDATE SET value = excluded.value
            """
        )
    }

    // MARK: Pushes

    /// Saves where this phone is woken from now on; nil: nowhere.
    func save(push registration: PushRegistration?) async throws {
        let text = registration?.wire.canonicalText ?? ""
        try await database.write { try Self.save($0, "push", text) }
    }

    /// The push registration to tell a computer, as text; nil where the computer knows it. Empty: the registration ended.
    /// - Parameter isInDoubt: The registration that it was told may be lost there.
    func pushToTell(_ computer: String, isInDoubt: Bool = false) async throws -> String? {
        try await database.read { database in
            guard let wanted = try Self.preference(database, "push") else { return nil }
            let told: String? = try database.value(
                "SELECT value FROM notificationPushTold WHERE computer = \(computer)"
            )
            if isInDoubt, told != nil { return wanted }
            return wanted == told ?? "" ? nil : wanted
        }
    }

    func notePushTold(_ text: String, to computer: String) async throws {
        try await database.write { database in
            try database.run(
                """
                INSERT INTO notificationPushTold VALUES (\(computer), \(text)) ON CONFLICT DO UPDATE SET value = excluded.value
                """
            )
        }
    }

    // MARK: Reading

    /// How many were not read, for each computer that has some.
    package func unread() async throws -> [String: Int] { try await database.read { try Self.unread($0) } }

    static func unread(_ database: Database) throws -> [String: Int] {
        let rows = try database.rows(
            """
            SELECT computer, COUNT(*) AS count FROM notificationInbox
            WHERE isRead = 0 AND readBy IS NULL AND deletedBy IS NULL GROUP BY computer
            """
        )
        return Dictionary(rows.map { ($0["computer"], $0["count"]) }, uniquingKeysWith: { first, _ in first })
    }

    static func unread(_ database: Database, of computer: String) throws -> Int {
        try database.value(
            """
            SELECT COUNT(*) FROM notificationInbox
            WHERE computer = \(computer) AND isRead = 0 AND readBy IS NULL AND deletedBy IS NULL
            """
        ) ?? 0
    }

    /// - Parameters:
    ///   - computer: Nil: of all.
    ///   - limit: 1 to ``pageLimit``.
    package func page(
        of computer: String?,
        unreadOnly: Bool = false,
        limit: Int = 50,
        before place: NotificationPlace? = nil
    ) async throws -> NotificationPage {
        try await database.read { database in
            var conditions: [SQL] = ["deletedBy IS NULL"]
            if let computer { conditions.append("computer = \(computer)") }
            if unreadOnly { conditions.append("isRead = 0 AND readBy IS NULL") }
            let total: Int? = try database.value(
                "SELECT COUNT(*) FROM notificationInbox WHERE \(conditions.joined(separator: " AND "))"
            )
            let upTo = try computer.flatMap { try NotificationCursor.read(database, $0).position.seen }
            let isWaiting = try Self.isWaiting(database, computer)
            if let place {
                conditions.append("(createdAt, position) < (\(place.createdAt), \(place.position))")
            }
            let limit = min(max(limit, 1), Self.pageLimit)
            let rows = try database.rows(
                """
                SELECT * FROM notificationInbox WHERE \(conditions.joined(separator: " AND "))
                ORDER BY createdAt DESC, position DESC LIMIT \(limit + 1)
                """
            )
            return NotificationPage(
                items: rows.prefix(limit).compactMap(Self.kept),
                hasMore: rows.count > limit,
                total: total ?? 0,
                upTo: upTo,
                isWaiting: isWaiting
            )
        }
    }

    /// Nil for one that is not kept.
    func notification(_ id: KeptNotification.ID) async throws -> KeptNotification? {
        try await database.read { try Self.kept($0, id.computer, id.notification) }
    }

    /// Where one stands, also one whose deletion waits; nil for one that is not kept.
    func place(of id: KeptNotification.ID) async throws -> NotificationPlace? {
        try await database.read { database in
            try database.row(
                """
                SELECT createdAt, position FROM notificationInbox
                WHERE computer = \(id.computer) AND id = \(id.notification)
                """
            ).map { NotificationPlace(createdAt: $0["createdAt"], position: $0["position"]) }
        }
    }

    /// Nil for one that is not kept.
    static func kept(_ database: Database, _ computer: String, _ id: String) throws -> KeptNotification? {
        try database.row(
            "SELECT * FROM notificationInbox WHERE computer = \(computer) AND id = \(id) AND deletedBy IS NULL"
        ).flatMap(kept)
    }

    /// Nil for a row that is damaged.
    static func kept(_ row: Row) -> KeptNotification? {
        let text: String = row["row"]
        guard let wire = try? JSONValue(parsing: text.utf8), var notification = RemoteNotification(wire: wire) else {
            return nil
        }
        let readBy: String? = row["readBy"]
        let deletedBy: String? = row["deletedBy"]
        let isRead: Bool = row["isRead"]
        notification.isRead = isRead || readBy != nil
        return KeptNotification(
            computer: row["computer"],
            notification: notification,
            isWaiting: readBy != nil || deletedBy != nil,
            place: NotificationPlace(createdAt: row["createdAt"], position: row["position"])
        )
    }

    // MARK: Computers

    /// Forgets what computers said that are not paired any more.
    ///
    /// - Returns: The computers that were forgotten.
    func keep(only computers: [String]) async throws -> [String] {
        try await database.write { database in
            let gone = try Self.known(database).subtracting(computers)
            for computer in gone { try Self.forget(database, computer) }
            return gone.sorted()
        }
    }

    /// - Returns: False where nothing was known of it.
    func forget(_ computer: String) async throws -> Bool {
        try await database.write { database in
            guard try Self.known(database).contains(computer) else { return false }
            try Self.forget(database, computer)
            return true
        }
    }

    private static func known(_ database: Database) throws -> Set<String> {
        Set(try database.values("SELECT computer FROM notificationCursor UNION SELECT computer FROM notificationInbox"))
    }

    private static func forget(_ database: Database, _ computer: String) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO notificationWithdrawal
            SELECT computer, id FROM notificationInbox WHERE computer = \(computer) AND isShown = 1
            """
        )
        for table in ["notificationInbox", "notificationCursor", "notificationPushTold"] {
            try database.run("DELETE FROM \(sql: table) WHERE computer = \(computer)")
        }
    }
}
