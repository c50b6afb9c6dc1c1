package import Storage

/// The tables of conversations.
package enum ChatSchema {
    package static let migrations = [
        Migration(
            "chat-1",
            sql: """
                CREATE TABLE chat_person (
                    person INTEGER PRIMARY KEY,
                    -- The newest number of the person's log of events.
                    useq INTEGER NOT NULL DEFAULT 0,
                    -- When the deletion of the account began. The row stays for ever: numbers of accounts do not come again.
                    deletedAt INTEGER,
                    isErased INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX chat_person_leaving ON chat_person (person) WHERE deletedAt IS NOT NULL AND isErased = 0;

                CREATE TABLE chat_conversation (
                    id INTEGER PRIMARY KEY,
                    -- The two people, the smaller number first.
                    low INTEGER NOT NULL,
                    high INTEGER NOT NULL,
                    maxSeq INTEGER NOT NULL DEFAULT 0,
                    lastAt INTEGER NOT NULL DEFAULT 0,
                    -- The newest message with a bubble.
                    previewSeq INTEGER NOT NULL DEFAULT 0,
                    previewAt INTEGER NOT NULL DEFAULT 0,
                    -- Countable messages of each that were not taken back.
                    lowCount INTEGER NOT NULL DEFAULT 0,
                    highCount INTEGER NOT NULL DEFAULT 0,
                    -- See ConversationStage.
                    stage INTEGER NOT NULL DEFAULT 0,
                    requester INTEGER,
                    UNIQUE (low, high)
                ) STRICT;

                CREATE TABLE chat_member (
                    person INTEGER NOT NULL,
                    conversation INTEGER NOT NULL,
                    readSeq INTEGER NOT NULL DEFAULT 0,
                    -- Countable messages of the peer up to readSeq that were not taken back: what is unread is one subtraction.
                    seenCount INTEGER NOT NULL DEFAULT 0,
                    -- What the peer was told of readSeq.
                    toldReadSeq INTEGER NOT NULL DEFAULT 0,
                    receivedSeq INTEGER NOT NULL DEFAULT 0,
                    minSeq INTEGER NOT NULL DEFAULT 1,
                    hiddenUpTo INTEGER NOT NULL DEFAULT 0,
                    isPinned INTEGER NOT NULL DEFAULT 0,
                    receiveOption INTEGER NOT NULL DEFAULT 0,
                    draft TEXT,
                    draftAt INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (person, conversation)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE chat_message (
                    conversation INTEGER NOT NULL,
                    seq INTEGER NOT NULL,
                    sender INTEGER NOT NULL,
                    clientID BLOB NOT NULL,
                    serverID BLOB NOT NULL,
                    -- Empty once the content is blanked: short words can be guessed from it.
                    fingerprint BLOB NOT NULL,
                    contentType INTEGER NOT NULL,
                    kind INTEGER NOT NULL,
                    content BLOB NOT NULL,
                    searchText TEXT,
                    sentAt INTEGER NOT NULL,
                    -- See MessageBits.
                    bits INTEGER NOT NULL DEFAULT 0,
                    recalledAt INTEGER,
                    PRIMARY KEY (conversation, seq)
                ) WITHOUT ROWID, STRICT;
                CREATE UNIQUE INDEX chat_message_client ON chat_message (sender, clientID);

                CREATE TABLE chat_deletion (
                    person INTEGER NOT NULL,
                    conversation INTEGER NOT NULL,
                    seq INTEGER NOT NULL,
                    PRIMARY KEY (person, conversation, seq)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE chat_object (
                    objectKey TEXT NOT NULL,
                    conversation INTEGER NOT NULL,
                    seq INTEGER NOT NULL,
                    PRIMARY KEY (objectKey, conversation, seq)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX chat_object_message ON chat_object (conversation, seq);

                CREATE TABLE chat_flash (
                    conversation INTEGER NOT NULL,
                    seq INTEGER NOT NULL,
                    -- See FlashStage.
                    stage INTEGER NOT NULL,
                    objectKey TEXT,
                    -- When it is destroyed by itself: the end of its life, or of its lease.
                    dueAt INTEGER NOT NULL,
                    device TEXT,
                    lease BLOB,
                    PRIMARY KEY (conversation, seq)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX chat_flash_due ON chat_flash (dueAt) WHERE stage < 2;
                CREATE INDEX chat_flash_lease ON chat_flash (lease) WHERE lease IS NOT NULL;
                CREATE UNIQUE INDEX chat_flash_object ON chat_flash (objectKey) WHERE objectKey IS NOT NULL;

                CREATE TABLE chat_event (
                    person INTEGER NOT NULL,
                    useq INTEGER NOT NULL,
                    -- See EventKind.
                    kind INTEGER NOT NULL,
                    conversation INTEGER,
                    number INTEGER NOT NULL DEFAULT 0,
                    other INTEGER NOT NULL DEFAULT 0,
                    at INTEGER NOT NULL DEFAULT 0,
                    text TEXT,
                    PRIMARY KEY (person, useq)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE chat_block (
                    person INTEGER NOT NULL,
                    blocked INTEGER NOT NULL,
                    since INTEGER NOT NULL,
                    PRIMARY KEY (person, blocked)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX chat_block_other ON chat_block (blocked);

                CREATE TABLE chat_report (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    reporter INTEGER,
                    reported INTEGER NOT NULL,
                    low INTEGER NOT NULL,
                    high INTEGER NOT NULL,
                    seq INTEGER,
                    reason TEXT NOT NULL,
                    content BLOB NOT NULL,
                    at INTEGER NOT NULL,
                    closedAt INTEGER
                ) STRICT;
                CREATE INDEX chat_report_reporter ON chat_report (reporter);
                CREATE INDEX chat_report_reported ON chat_report (reported);
                """
        ),
        Migration(
            "chat-day-1",
            sql: """
                -- Messages by the days of UTC on which they were sent, as days since 1970-01-01.
                CREATE TABLE chat_day (day INTEGER PRIMARY KEY, messages INTEGER NOT NULL) STRICT;
                INSERT INTO chat_day SELECT sentAt / 86400000, count(*) FROM chat_message GROUP BY 1;
                """
        ),
        Migration("chat-2", sql: ChatKeyTables.sql),
        Migration("chat-3", sql: HandoverTables.sql),
    ]
}

/// Whether both people write. The numbers are on disk.
enum ConversationStage: Int {
    /// No message yet.
    case fresh = 0
    /// The requester's first message waits.
    case requested = 1
    case open = 2
    /// The other one does not want it; the requester is not told.
    case declined = 3
}

/// What became of a message. The bits are on disk.
enum MessageBits {
    static let recalled = 1
    static let destroyed = 2
    static let opened = 4
}

/// The numbers are on disk; what is below 2 has an object.
enum FlashStage: Int {
    case sealed = 0
    case opened = 1
    case destroyed = 2
}
