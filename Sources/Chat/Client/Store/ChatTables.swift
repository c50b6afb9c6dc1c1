import Storage

/// The tables of a device's conversations.
enum ChatTables {
    static let migrations = [
        Migration(
            "messenger-1",
            sql: """
                CREATE TABLE messenger_account (
                    id INTEGER PRIMARY KEY,
                    hub TEXT NOT NULL,
                    person INTEGER NOT NULL,
                    -- The last change of the person's log of events that is in these tables; null before the first list came.
                    event INTEGER,
                    UNIQUE (hub, person)
                ) STRICT;

                CREATE TABLE messenger_profile (
                    account INTEGER NOT NULL,
                    person INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    avatar TEXT NOT NULL,
                    fetchedAt INTEGER NOT NULL,
                    PRIMARY KEY (account, person)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE messenger_conversation (
                    id INTEGER PRIMARY KEY,
                    account INTEGER NOT NULL,
                    peer INTEGER NOT NULL,
                    -- Places: how far the conversation goes at the hub, and where it begins for this person.
                    newest INTEGER NOT NULL DEFAULT 0,
                    lowest INTEGER NOT NULL DEFAULT 1,
                    -- Everything from `oldest` to `applied` is here; `oldest` is null before the first page came.
                    oldest INTEGER,
                    applied INTEGER NOT NULL DEFAULT 0,
                    -- The newest place with a bubble.
                    preview INTEGER NOT NULL DEFAULT 0,
                    hiddenUpTo INTEGER NOT NULL DEFAULT 0,
                    readUpTo INTEGER NOT NULL DEFAULT 0,
                    -- What the hub was told of it, and of what has reached this device.
                    readTold INTEGER NOT NULL DEFAULT 0,
                    receivedTold INTEGER NOT NULL DEFAULT 0,
                    peerRead INTEGER NOT NULL DEFAULT 0,
                    peerReceived INTEGER NOT NULL DEFAULT 0,
                    unread INTEGER NOT NULL DEFAULT 0,
                    -- Unread messages before `oldest`.
                    olderUnread INTEGER NOT NULL DEFAULT 0,
                    isPinned INTEGER NOT NULL DEFAULT 0,
                    receiveOption INTEGER NOT NULL DEFAULT 0,
                    draft TEXT,
                    -- Whether the hub has the draft as it is here.
                    isDraftTold INTEGER NOT NULL DEFAULT 1,
                    isBlocked INTEGER NOT NULL DEFAULT 0,
                    isPeerDeleted INTEGER NOT NULL DEFAULT 0,
                    -- See ConversationStanding.Request; null where both people write.
                    request TEXT,
                    isSealed INTEGER NOT NULL DEFAULT 0,
                    isVerified INTEGER NOT NULL DEFAULT 0,
                    trouble TEXT,
                    -- The quote of a signal was sent, and the hub said so.
                    isOpened INTEGER NOT NULL DEFAULT 0,
                    UNIQUE (account, peer)
                ) STRICT;

                CREATE TABLE messenger_message (
                    id INTEGER PRIMARY KEY,
                    conversation INTEGER NOT NULL,
                    sender INTEGER NOT NULL,
                    clientID TEXT NOT NULL,
                    -- Null until the hub said it.
                    seq INTEGER,
                    serverID TEXT NOT NULL,
                    contentType INTEGER NOT NULL,
                    -- The element as this device reads it: of a sealed message what was inside.
                    content TEXT NOT NULL,
                    -- What is searched: see SearchText.
                    words TEXT,
                    createTime INTEGER NOT NULL,
                    sendTime INTEGER NOT NULL,
                    status TEXT NOT NULL,
                    error TEXT,
                    -- See MessageState.
                    state INTEGER NOT NULL,
                    trouble TEXT,
                    UNIQUE (conversation, sender, clientID)
                ) STRICT;
                CREATE UNIQUE INDEX messenger_message_place ON messenger_message (conversation, seq) WHERE seq IS NOT NULL;
                CREATE INDEX messenger_message_waiting ON messenger_message (conversation, id) WHERE seq IS NULL;

                CREATE TABLE messenger_outbox (
                    message INTEGER PRIMARY KEY,
                    account INTEGER NOT NULL,
                    -- The order of the calls.
                    position INTEGER NOT NULL,
                    -- See OutgoingRecord.
                    body TEXT NOT NULL,
                    isFailed INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX messenger_outbox_order ON messenger_outbox (account, position);

                -- Copies of removed words that are still in the files: 1 in SQLite's log, 2 in the index of words, too.
                CREATE TABLE messenger_care (id INTEGER PRIMARY KEY CHECK (id = 1), remains INTEGER NOT NULL) STRICT;
                INSERT INTO messenger_care VALUES (1, 0);

                CREATE VIRTUAL TABLE messenger_words USING fts5 (
                    words, content = 'messenger_message', content_rowid = 'id', columnsize = 0, prefix = '2 3',
                    tokenize = "unicode61 remove_diacritics 2"
                );
                CREATE TRIGGER messenger_words_added AFTER INSERT ON messenger_message WHEN new.words IS NOT NULL BEGIN
                    INSERT INTO messenger_words (rowid, words) VALUES (new.id, new.words);
                END;
                CREATE TRIGGER messenger_words_removed AFTER DELETE ON messenger_message WHEN old.words IS NOT NULL BEGIN
                    INSERT INTO messenger_words (messenger_words, rowid, words) VALUES ('delete', old.id, old.words);
                END;
                -- Both in one, since the order of triggers is not certain.
                CREATE TRIGGER messenger_words_changed AFTER UPDATE OF words ON messenger_message
                WHEN old.words IS NOT new.words BEGIN
                    INSERT INTO messenger_words (messenger_words, rowid, words)
                        SELECT 'delete', old.id, old.words WHERE old.words IS NOT NULL;
                    INSERT INTO messenger_words (rowid, words) SELECT new.id, new.words WHERE new.words IS NOT NULL;
                END;
                """
        ),
        Migration(
            "messenger-2",
            sql: """
                -- Up to which entry of the other person's lists of devices a conversation tells.
                CREATE TABLE messenger_devices (
                    conversation INTEGER PRIMARY KEY,
                    start BLOB NOT NULL,
                    number INTEGER NOT NULL
                ) STRICT;

                -- Lines that this device puts into a conversation: see NoticeRecord.
                CREATE TABLE messenger_notice (
                    id INTEGER PRIMARY KEY,
                    conversation INTEGER NOT NULL,
                    -- The newest place when it was noticed, behind which it stands.
                    place INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    -- See DeviceChange.
                    change TEXT NOT NULL
                ) STRICT;
                CREATE INDEX messenger_notice_place ON messenger_notice (conversation, place);
                """
        ),
        Migration(
            "messenger-3",
            sql: """
                -- Where this phone is woken while it is closed: what `/chat/push` is to be told. Of the phone, not of an account.
                CREATE TABLE messenger_push (id INTEGER PRIMARY KEY CHECK (id = 1), request TEXT NOT NULL) STRICT;
                """
        ),
        Migration(
            "messenger-4",
            sql: """
                -- What another device of the account handed over of sealed messages that the hub has not told of here yet.
                CREATE TABLE messenger_handed (
                    conversation INTEGER NOT NULL,
                    sender INTEGER NOT NULL,
                    clientID TEXT NOT NULL,
                    seq INTEGER NOT NULL,
                    contentType INTEGER NOT NULL,
                    content TEXT NOT NULL,
                    PRIMARY KEY (conversation, sender, clientID)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX messenger_handed_place ON messenger_handed (conversation, seq);

                -- Histories that this device takes, or took: see TakingRecord.
                CREATE TABLE messenger_taking (
                    account INTEGER NOT NULL,
                    offer BLOB NOT NULL,
                    -- The number of the next page, and how many there are.
                    next INTEGER NOT NULL DEFAULT 0,
                    pages INTEGER NOT NULL,
                    -- Messages of the pages that were taken, and of all.
                    taken INTEGER NOT NULL DEFAULT 0,
                    messages INTEGER NOT NULL,
                    isCut INTEGER NOT NULL,
                    began INTEGER NOT NULL,
                    PRIMARY KEY (account, offer)
                ) STRICT, WITHOUT ROWID;

                -- Histories that this device hands over: see OfferingRecord.
                CREATE TABLE messenger_offering (
                    account INTEGER NOT NULL,
                    device TEXT NOT NULL,
                    offer BLOB NOT NULL,
                    began INTEGER NOT NULL,
                    -- Messages that are to be handed over, as counted at the beginning.
                    messages INTEGER NOT NULL,
                    -- The message that came last into a page: its time and its row; null before the first.
                    time INTEGER,
                    message INTEGER,
                    stage INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (account, device)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE messenger_offering_part (
                    account INTEGER NOT NULL,
                    device TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    -- As HandoverIndex.Page has it: where a page is, and what opens it.
                    page TEXT NOT NULL,
                    PRIMARY KEY (account, device, number)
                ) STRICT, WITHOUT ROWID;
                """
        ),
    ]
}
