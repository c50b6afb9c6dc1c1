/// The tables of offers of history between devices of one account. They go with the account.
enum HandoverTables {
    static let sql = """
        CREATE TABLE chat_handover (
            person INTEGER NOT NULL,
            id BLOB NOT NULL,
            sender TEXT NOT NULL,
            receiver TEXT NOT NULL,
            -- Canonical JSON, as it was signed.
            offer BLOB NOT NULL,
            offeredAt INTEGER NOT NULL,
            PRIMARY KEY (person, id),
            -- Another offer to a device takes the place of the one before.
            UNIQUE (person, receiver)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX chat_handover_age ON chat_handover (offeredAt);

        -- The objects that an offer keeps.
        CREATE TABLE chat_handover_object (
            person INTEGER NOT NULL,
            id BLOB NOT NULL,
            objectKey TEXT NOT NULL,
            PRIMARY KEY (person, id, objectKey)
        ) WITHOUT ROWID, STRICT;
        """
}
