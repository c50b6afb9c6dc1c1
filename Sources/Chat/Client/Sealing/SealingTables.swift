import Storage

/// The tables of sealed conversations. Private keys are in them: the database is its owner's alone, as all state.
enum SealingTables {
    static let migrations = [
        Migration(
            "sealing-1",
            sql: """
                CREATE TABLE sealing_account (
                    id INTEGER PRIMARY KEY,
                    hub TEXT NOT NULL,
                    person INTEGER NOT NULL,
                    UNIQUE (hub, person)
                ) STRICT;

                -- Other people, and the account's own person.
                CREATE TABLE sealing_contact (
                    account INTEGER NOT NULL,
                    person INTEGER NOT NULL,
                    -- Counts chains that began anew and were agreed to.
                    generation INTEGER NOT NULL DEFAULT 0,
                    -- See SealTrouble; null for none.
                    trouble TEXT,
                    isVerified INTEGER NOT NULL DEFAULT 0,
                    -- The hash of entry 0 that a link named.
                    pin BLOB,
                    allowsClear INTEGER NOT NULL DEFAULT 0,
                    hasSealed INTEGER NOT NULL DEFAULT 0,
                    -- The first place with a sealed message that is known.
                    sealedFrom INTEGER,
                    -- Messages that this device sealed in the conversation.
                    sent INTEGER NOT NULL DEFAULT 0,
                    -- The newest numbers of lists in the conversation: two numbers, or null.
                    lists TEXT,
                    PRIMARY KEY (account, person)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE sealing_list (
                    account INTEGER NOT NULL,
                    person INTEGER NOT NULL,
                    generation INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    entry BLOB NOT NULL,
                    PRIMARY KEY (account, person, generation, number)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE sealing_count (
                    account INTEGER NOT NULL,
                    person INTEGER NOT NULL,
                    device TEXT NOT NULL,
                    newest INTEGER NOT NULL,
                    missing TEXT NOT NULL,
                    PRIMARY KEY (account, person, device)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE sealing_key (
                    account INTEGER NOT NULL,
                    kid BLOB NOT NULL,
                    -- Null once it is deleted: the name stays, to say why a message cannot be opened.
                    secret BLOB,
                    made INTEGER NOT NULL,
                    -- The newest number of the own list when the key was made.
                    list INTEGER NOT NULL,
                    isPublished INTEGER NOT NULL DEFAULT 0,
                    succeeded INTEGER,
                    PRIMARY KEY (account, kid)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE sealing_outgoing (
                    account INTEGER NOT NULL,
                    id TEXT NOT NULL,
                    payload BLOB NOT NULL,
                    -- Null after a refusal because of old lists.
                    sealed BLOB,
                    count INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    isSent INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (account, id)
                ) STRICT, WITHOUT ROWID;

                -- What opens sealed files, by the keys of their objects, of view-once pictures by their messages.
                CREATE TABLE sealing_object (
                    account INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    object BLOB NOT NULL,
                    PRIMARY KEY (account, name)
                ) STRICT, WITHOUT ROWID;
                """
        )
    ]

    static let names = ["contact", "list", "count", "key", "outgoing", "object"]
}
