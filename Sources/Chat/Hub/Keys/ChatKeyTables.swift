/// The tables of lists of devices and of chat keys. Both go with the account.
enum ChatKeyTables {
    static let sql = """
        -- The chain in force: one that begins anew takes the place of the one before.
        CREATE TABLE chat_list (
            person INTEGER NOT NULL,
            number INTEGER NOT NULL,
            hash BLOB NOT NULL,
            -- Canonical JSON, as it was signed.
            entry BLOB NOT NULL,
            PRIMARY KEY (person, number)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE chat_key (
            person INTEGER NOT NULL,
            device TEXT NOT NULL,
            made INTEGER NOT NULL,
            kid BLOB NOT NULL,
            bundle BLOB NOT NULL,
            PRIMARY KEY (person, device, made, kid)
        ) WITHOUT ROWID, STRICT;
        """
}
