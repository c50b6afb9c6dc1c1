import Storage

/// The tables of a generation's database.
enum JournalTables {
    static let migrations = [
        Migration(
            "journal-1",
            sql: """
                CREATE TABLE category (
                    id TEXT PRIMARY KEY,
                    name TEXT NOT NULL,
                    nameEn TEXT,
                    colorHex TEXT NOT NULL,
                    level INTEGER NOT NULL,
                    parent TEXT REFERENCES category (id) DEFERRABLE INITIALLY DEFERRED,
                    iconName TEXT NOT NULL,
                    iconType TEXT NOT NULL,
                    customIcon BLOB,
                    sortOrder INTEGER NOT NULL,
                    createdAt INTEGER NOT NULL,
                    extra TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX category_parent ON category (parent);

                CREATE TABLE story (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    title TEXT,
                    content TEXT,
                    plainText TEXT,
                    createdAt INTEGER NOT NULL,
                    updatedAt INTEGER NOT NULL,
                    happenedAt INTEGER NOT NULL,
                    -- Not called isDeleted: frameworks of objects have a property of that name.
                    isRemoved INTEGER NOT NULL,
                    syncStatus TEXT NOT NULL,
                    mood TEXT,
                    locationName TEXT,
                    locationAddress TEXT,
                    locationCity TEXT,
                    latitude REAL,
                    longitude REAL,
                    horizontalAccuracy REAL,
                    verticalAccuracy REAL,
                    extra TEXT
                ) STRICT;
                CREATE INDEX story_time ON story (isRemoved, happenedAt, number);

                -- Small, so that a search orders what it found without reading the stories.
                CREATE INDEX story_moment ON story (number, happenedAt, isRemoved);

                -- The words of stories that are not removed, in the form of SearchText. The rowid is the story's number.
                -- An index of beginnings of words would take three times as long to write, and find nothing sooner.
                CREATE VIRTUAL TABLE story_words USING fts5 (
                    title, text, tokenize = "unicode61 remove_diacritics 2"
                );

                CREATE TABLE medium (
                    id TEXT PRIMARY KEY,
                    kind TEXT NOT NULL,
                    fileName TEXT NOT NULL,
                    thumbnailFileName TEXT,
                    keyId TEXT NOT NULL,
                    fileSize INTEGER NOT NULL,
                    width INTEGER NOT NULL,
                    height INTEGER NOT NULL,
                    duration REAL NOT NULL,
                    createdAt INTEGER NOT NULL,
                    story TEXT REFERENCES story (id),
                    path TEXT,
                    thumbnailPath TEXT,
                    sha256 TEXT,
                    thumbnailSize INTEGER,
                    thumbnailSHA256 TEXT,
                    broken TEXT,
                    extra TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX medium_story ON medium (story);

                CREATE TABLE setting (
                    key TEXT PRIMARY KEY,
                    type TEXT NOT NULL,
                    value TEXT NOT NULL,
                    updatedAt INTEGER NOT NULL,
                    extra TEXT
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE story_category (
                    story TEXT NOT NULL REFERENCES story (id),
                    category TEXT NOT NULL REFERENCES category (id),
                    extra TEXT,
                    PRIMARY KEY (story, category)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX story_category_category ON story_category (category);
                """
        ),
        Migration(
            "journal-2",
            sql: """
                ALTER TABLE medium ADD COLUMN crc32 INTEGER;
                ALTER TABLE medium ADD COLUMN thumbnailCRC32 INTEGER;

                -- Numbers of stories that were written without their words: a search waits until there are none.
                CREATE TABLE story_unindexed (number INTEGER PRIMARY KEY) STRICT;

                -- Files of media whose records are gone. They go when no snapshot reads them any more.
                CREATE TABLE unused_file (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

                -- Bytes of words that are sorted in memory before the index gets a part more. Each part has to be merged with others later, and
                -- a megabyte, which is FTS5's own measure, makes seventy parts of 50,000 stories.
                INSERT INTO story_words (story_words, rank) VALUES ('hashsize', 8388608);
                """
        ),
    ]

    /// All steps, for whoever opens a generation's database.
    static var schema: Schema { Schema("journal", [migrations]) }
}
