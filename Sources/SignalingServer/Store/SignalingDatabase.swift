import GRDB

/// The server's tables, in whatever database its composition keeps.
enum SignalingDatabase {
    /// Makes the tables. A sender is told that a frame waits once it is committed, so the database has to be one that keeps its
    /// promises: `StateDatabase` opens such.
    static func prepare(_ database: any DatabaseWriter) throws {
        try migrator.migrate(database)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("signaling-1") { database in
            try database.create(table: "signalingMailbox") { table in
                table.autoIncrementedPrimaryKey("number")
                table.column("recipient", .text).notNull()
                table.column("sender", .text)
                table.column("storedAt", .integer).notNull().indexed()
                table.column("frame", .blob).notNull()
            }
            try database.create(
                index: "signalingMailboxByRecipient",
                on: "signalingMailbox",
                columns: ["recipient", "number"]
            )
            try database.create(index: "signalingMailboxBySender", on: "signalingMailbox", columns: ["sender"])
            // Kept by triggers, so that a limit never costs a walk over every frame.
            try database.create(table: "signalingMailboxUse", options: .withoutRowID) { table in
                table.primaryKey("recipient", .text)
                table.column("frames", .integer).notNull()
                table.column("bytes", .integer).notNull()
            }
            try database.execute(
                sql: """
                    CREATE TRIGGER signalingMailboxAdded AFTER INSERT ON signalingMailbox BEGIN
                        INSERT INTO signalingMailboxUse VALUES (new.recipient, 1, LENGTH(new.frame))
                        ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes;
                    END;
                    CREATE TRIGGER signalingMailboxRemoved AFTER DELETE ON signalingMailbox BEGIN
                        UPDATE signalingMailboxUse SET frames = frames - 1, bytes = bytes - LENGTH(old.frame)
                        WHERE recipient = old.recipient;
                        DELETE FROM signalingMailboxUse WHERE recipient = old.recipient AND frames = 0;
                    END;
                    """
            )
            try database.create(table: "signalingKey") { table in
                table.primaryKey("peer", .text)
                table.column("key", .text).notNull()
            }
            try database.create(table: "signalingContact", options: .withoutRowID) { table in
                table.column("sender", .text).notNull()
                table.column("recipient", .text).notNull()
                table.column("at", .integer).notNull()
                table.primaryKey(["sender", "recipient"])
            }
        }
        return migrator
    }
}
