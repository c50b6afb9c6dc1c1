import GRDB
package import Storage

/// The server's tables, in the database that its composition keeps. A sender is told that a frame waits once it is committed, so the
/// database has to be one that keeps its promises: `StateDatabase` opens such.
package enum SignalingDatabase {
    /// The tables `signalingMailbox`, and those of ids, their keys, their contacts and their names.
    package static let migrations = [
        Migration("signaling-1") { database in
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
        },
        Migration("signaling-2") { database in
            try database.alter(table: "signalingKey") { table in
                table.add(column: "seenAt", .integer).notNull().defaults(to: 0)
            }
            // When they were last seen was not written down before; from now on it is.
            try database.execute(sql: "UPDATE signalingKey SET seenAt = CAST(strftime('%s', 'now') AS INTEGER) * 1000")
            try database.create(index: "signalingKeyByKey", on: "signalingKey", columns: ["key"])
            try database.create(index: "signalingContactByTime", on: "signalingContact", columns: ["at"])
            try database.alter(table: "signalingMailbox") { table in
                table.add(column: "isProven", .boolean).notNull().defaults(to: true)
            }
            try database.alter(table: "signalingMailboxUse") { table in
                table.add(column: "unprovenFrames", .integer).notNull().defaults(to: 0)
                table.add(column: "unprovenBytes", .integer).notNull().defaults(to: 0)
            }
            try database.create(table: "signalingCount", options: .withoutRowID) { table in
                table.primaryKey("name", .text)
                table.column("rows", .integer).notNull()
            }
            try database.execute(
                sql: """
                    INSERT INTO signalingCount SELECT 'key', COUNT(*) FROM signalingKey;
                    INSERT INTO signalingCount SELECT 'contact', COUNT(*) FROM signalingContact;
                    CREATE TRIGGER signalingKeyAdded AFTER INSERT ON signalingKey BEGIN
                        UPDATE signalingCount SET rows = rows + 1 WHERE name = 'key';
                    END;
                    CREATE TRIGGER signalingKeyRemoved AFTER DELETE ON signalingKey BEGIN
                        UPDATE signalingCount SET rows = rows - 1 WHERE name = 'key';
                    END;
                    CREATE TRIGGER signalingContactAdded AFTER INSERT ON signalingContact BEGIN
                        UPDATE signalingCount SET rows = rows + 1 WHERE name = 'contact';
                    END;
                    CREATE TRIGGER signalingContactRemoved AFTER DELETE ON signalingContact BEGIN
                        UPDATE signalingCount SET rows = rows - 1 WHERE name = 'contact';
                    END;
                    DROP TRIGGER signalingMailboxAdded;
                    DROP TRIGGER signalingMailboxRemoved;
                    CREATE TRIGGER signalingMailboxAdded AFTER INSERT ON signalingMailbox BEGIN
                        INSERT INTO signalingMailboxUse (recipient, frames, bytes, unprovenFrames, unprovenBytes)
                        VALUES (new.recipient, 1, LENGTH(new.frame),
                            NOT new.isProven, (NOT new.isProven) * LENGTH(new.frame))
                        ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes,
                            unprovenFrames = unprovenFrames + excluded.unprovenFrames,
                            unprovenBytes = unprovenBytes + excluded.unprovenBytes;
                    END;
                    CREATE TRIGGER signalingMailboxRemoved AFTER DELETE ON signalingMailbox BEGIN
                        UPDATE signalingMailboxUse SET frames = frames - 1, bytes = bytes - LENGTH(old.frame),
                            unprovenFrames = unprovenFrames - (NOT old.isProven),
                            unprovenBytes = unprovenBytes - (NOT old.isProven) * LENGTH(old.frame)
                        WHERE recipient = old.recipient;
                        DELETE FROM signalingMailboxUse WHERE recipient = old.recipient AND frames = 0;
                    END;
                    """
            )
        },
        // The sums over all mailboxes, kept by triggers too: each commit reads one row instead of every mailbox's.
        Migration(
            "signaling-3",
            sql: """
                CREATE TABLE signalingMailboxTotal (
                    id INTEGER PRIMARY KEY CHECK (id = 1), mailboxes INTEGER NOT NULL, bytes INTEGER NOT NULL,
                    unprovenMailboxes INTEGER NOT NULL, unprovenBytes INTEGER NOT NULL
                ) STRICT;
                INSERT INTO signalingMailboxTotal SELECT 1, COUNT(*), COALESCE(SUM(bytes), 0),
                    COUNT(CASE WHEN unprovenFrames > 0 THEN 1 END), COALESCE(SUM(unprovenBytes), 0)
                    FROM signalingMailboxUse;
                CREATE TRIGGER signalingMailboxUseAdded AFTER INSERT ON signalingMailboxUse BEGIN
                    UPDATE signalingMailboxTotal SET mailboxes = mailboxes + 1, bytes = bytes + new.bytes,
                        unprovenMailboxes = unprovenMailboxes + (new.unprovenFrames > 0),
                        unprovenBytes = unprovenBytes + new.unprovenBytes;
                END;
                CREATE TRIGGER signalingMailboxUseChanged AFTER UPDATE ON signalingMailboxUse BEGIN
                    UPDATE signalingMailboxTotal SET bytes = bytes + new.bytes - old.bytes,
                        unprovenMailboxes = unprovenMailboxes + (new.unprovenFrames > 0) - (old.unprovenFrames > 0),
                        unprovenBytes = unprovenBytes + new.unprovenBytes - old.unprovenBytes;
                END;
                CREATE TRIGGER signalingMailboxUseRemoved AFTER DELETE ON signalingMailboxUse BEGIN
                    UPDATE signalingMailboxTotal SET mailboxes = mailboxes - 1, bytes = bytes - old.bytes,
                        unprovenMailboxes = unprovenMailboxes - (old.unprovenFrames > 0),
                        unprovenBytes = unprovenBytes - old.unprovenBytes;
                END;
                """
        ),
        // Ids that were seen last, and what the operator calls them.
        Migration(
            "signaling-4",
            sql: """
                CREATE INDEX signalingKeyBySeen ON signalingKey (seenAt DESC, peer);
                CREATE TABLE signalingName (peer TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
                """
        ),
    ]
}
