import Foundation
import GRDB
import Kernel
package import Storage

/// The tables of a computer's notifications.
///
/// What a later step drops, earlier ones do not make any more; databases that have it lose it there.
package enum NotificationTables {
    package static let migrations = [
        Migration("notification-1") { database in
            try database.execute(sql: tables)
            try database.execute(
                sql: "INSERT INTO notification_state (id, epoch) VALUES (1, ?)",
                arguments: [UUID.randomText()]
            )
        },
        Migration(
            "notification-2",
            sql: """
                -- The last number from before a phone was paired: what it has from there on is news for it.
                CREATE TABLE notification_beginning (
                    device TEXT PRIMARY KEY NOT NULL,
                    sequence INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """
        ),
        Migration("notification-3") { database in
            try database.execute(
                sql: """
                    -- Numbers above `first` and below `last` were given to no change of this database: see `NotificationNumbers`.
                    CREATE TABLE notification_gap (first INTEGER PRIMARY KEY NOT NULL, last INTEGER NOT NULL);
                    """
            )
        },
        // A hundred thousand rows take about two seconds, the 500 of most computers none.
        Migration("notification-4", sql: words),
        Migration(
            "notification-5",
            sql: """
                -- The number of the change that last changed what it says; none where that is `sequence`.
                ALTER TABLE notification ADD COLUMN revision INTEGER;
                """
        ),
        Migration(
            "notification-6",
            sql: """
                -- A program showed it on the desktop. Of rows from before it is not known; who may not see these was paired later.
                ALTER TABLE notification ADD COLUMN isMirrored INTEGER NOT NULL DEFAULT 0;
                -- As `sequence` was first. What a phone says of itself moves `sequence`, and never this.
                ALTER TABLE notification_beginning ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
                UPDATE notification_beginning SET since = sequence;
                -- Whether the phone saw only a part of what there was up to its number.
                ALTER TABLE notification_cursor ADD COLUMN isLimited INTEGER NOT NULL DEFAULT 0;
                """
        ),
        Migration(
            "notification-7",
            sql: """
                -- Rows are counted where they are asked for.
                DROP TRIGGER IF EXISTS notification_counted;
                DROP TRIGGER IF EXISTS notification_uncounted;
                DROP TRIGGER IF EXISTS notification_recounted;
                DROP TABLE IF EXISTS notification_count;
                DROP INDEX IF EXISTS notification_everyones;
                DROP INDEX IF EXISTS notification_everyonesUnread;
                DROP INDEX IF EXISTS notification_list;
                DROP INDEX IF EXISTS notification_programs;
                DROP INDEX IF EXISTS notification_unreadPrograms;
                DROP INDEX IF EXISTS notification_unread;
                DROP INDEX IF EXISTS notification_unmirrored;
                -- All that lists and their counts ask of a row, in the order of the lists.
                CREATE INDEX notification_listed ON notification (alert, device, program, isMirrored) WHERE state = 0;
                CREATE INDEX notification_unread ON notification (alert, state, device, program, isMirrored)
                    WHERE isRead = 0 AND state < 2;
                """
        ),
    ]

    /// Letters of the longest beginning that has an index of its own. Beginnings without one are found by merging all words that begin so,
    /// which takes tens of milliseconds for a word of every row.
    static let longestBeginning = 20

    /// The values of the `state` column.
    enum Standing: Int {
        case listed = 0
        /// Beyond the history's rows: phones still have it, or are still to be told.
        case hidden = 1
        /// A tombstone: only its id and numbers are left.
        case deleted = 2
    }

    private static let tables = """
        CREATE TABLE notification_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch TEXT NOT NULL,
            -- The last number that was given to a change.
            sequence INTEGER NOT NULL DEFAULT 0,
            -- The highest number of a row that was removed altogether.
            horizon INTEGER NOT NULL DEFAULT 0,
            settings TEXT NOT NULL DEFAULT '{}'
        );

        -- The rowid is the number at which the row last wanted to be noticed, so the newest come first without being sorted, also where
        -- the full text finds them.
        CREATE TABLE notification (
            alert INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            sequence INTEGER NOT NULL UNIQUE,
            state INTEGER NOT NULL DEFAULT 0,
            -- The only phone that it is for; empty: everyone.
            device TEXT NOT NULL DEFAULT '',
            -- The phone that it came from; empty: none.
            sender TEXT NOT NULL DEFAULT '',
            program TEXT NOT NULL DEFAULT '',
            key TEXT,
            title TEXT NOT NULL,
            body TEXT NOT NULL,
            priority TEXT NOT NULL,
            isRead INTEGER NOT NULL DEFAULT 0,
            isSilenced INTEGER NOT NULL DEFAULT 0,
            origin TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            readAt INTEGER,
            changedAt INTEGER NOT NULL,
            data TEXT,
            icon TEXT,
            actions TEXT,
            canReply INTEGER NOT NULL DEFAULT 0,
            progress INTEGER,
            hasImage INTEGER NOT NULL DEFAULT 0,
            -- What is searched: see `SearchText`.
            words TEXT NOT NULL
        );
        CREATE INDEX notification_left ON notification (state, sequence) WHERE state > 0;
        CREATE INDEX notification_hidden ON notification (createdAt) WHERE state = 1;
        CREATE INDEX notification_open ON notification (alert) WHERE actions IS NOT NULL OR canReply = 1;
        CREATE UNIQUE INDEX notification_key ON notification (program, key) WHERE key IS NOT NULL;

        CREATE TABLE notification_image (
            id TEXT PRIMARY KEY NOT NULL,
            bytes BLOB NOT NULL
        );

        -- How far each phone has caught up.
        CREATE TABLE notification_cursor (
            device TEXT PRIMARY KEY NOT NULL,
            sequence INTEGER NOT NULL,
            seenAt INTEGER NOT NULL,
            -- Something was removed that it had not passed: it begins from the start.
            isLost INTEGER NOT NULL DEFAULT 0
        );
        -- When it passed which number.
        CREATE TABLE notification_passage (
            device TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (device, sequence)
        ) WITHOUT ROWID;
        -- What was handed to phones that do not catch up, by the row's `alert`.
        CREATE TABLE notification_told (
            alert INTEGER NOT NULL,
            device TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (alert, device)
        ) WITHOUT ROWID;

        CREATE TABLE notification_denied (program TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE notification_push (
            device TEXT PRIMARY KEY NOT NULL,
            registration TEXT NOT NULL,
            at INTEGER NOT NULL
        );
        """

    /// Full text with an index for every beginning. New rows enter it by ``NotificationWriting/index()``: FTS5 writes its index out after each
    /// statement of a trigger, which cost more than everything else.
    private static let words = """
        DROP TRIGGER IF EXISTS notification_indexed;
        DROP TRIGGER IF EXISTS notification_unindexed;
        DROP TRIGGER IF EXISTS notification_reindexed;
        DROP TABLE IF EXISTS notification_words;

        CREATE VIRTUAL TABLE notification_words USING fts5 (
            words, content = 'notification', content_rowid = 'alert', columnsize = 0,
            prefix = '\((2...longestBeginning).map(String.init).joined(separator: " "))',
            tokenize = "unicode61 remove_diacritics 2"
        );
        -- Of a page of a frequent word all is read to find one row: a quarter of the usual size halves what two such words take.
        INSERT INTO notification_words (notification_words, rank) VALUES ('pgsz', 1000);
        INSERT INTO notification_words (rowid, words) SELECT alert, words FROM notification WHERE state = 0;
        CREATE TRIGGER notification_unindexed AFTER DELETE ON notification WHEN old.state = 0 BEGIN
            INSERT INTO notification_words (notification_words, rowid, words) VALUES ('delete', old.alert, old.words);
        END;
        -- Both in one, since the order of triggers is not certain.
        CREATE TRIGGER notification_reindexed AFTER UPDATE OF alert, state, words ON notification
        WHEN old.alert IS NOT new.alert OR old.state IS NOT new.state OR old.words IS NOT new.words BEGIN
            INSERT INTO notification_words (notification_words, rowid, words)
                SELECT 'delete', old.alert, old.words WHERE old.state = 0;
            INSERT INTO notification_words (rowid, words) SELECT new.alert, new.words WHERE new.state = 0;
        END;
        """
}
