/// The tables of the cache. Another version of them is another cache: it is made anew, there are no migrations.
enum IndexTables {
    static let version = 6

    static let sql = """
        -- A row a file, also for files without a thread, so that they are not opened again.
        CREATE TABLE file (
            id INTEGER PRIMARY KEY,
            agent TEXT NOT NULL,
            -- The path without .zst: the same for a file and what it was compressed to.
            key TEXT NOT NULL,
            path TEXT NOT NULL,
            -- The state of the file that was read.
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            isArchived INTEGER NOT NULL,
            -- The thread; null where there is none.
            threadID TEXT,
            ownTitle TEXT,
            title TEXT,
            searchTitle TEXT,
            folder TEXT,
            branch TEXT,
            provider TEXT,
            version TEXT,
            source TEXT,
            parentID TEXT,
            created INTEGER,
            updated INTEGER,
            lastMessage INTEGER,
            fileSize INTEGER,
            -- Why the file is not read; null where it is. And the processor's time that reading this state of it took, in microseconds.
            unreadable TEXT,
            cost INTEGER NOT NULL DEFAULT 0,
            isInteractive INTEGER NOT NULL DEFAULT 0,
            sortTime INTEGER NOT NULL DEFAULT 0,
            -- Of several files of one thread the newest.
            isShown INTEGER NOT NULL DEFAULT 0,
            -- How far the full text has read: forwards from here, backwards from there, and the state of the file it saw.
            isTextDue INTEGER NOT NULL DEFAULT 0,
            textBytes INTEGER NOT NULL DEFAULT 0,
            newerOffset INTEGER,
            newerLink TEXT,
            newerIsInside INTEGER NOT NULL DEFAULT 0,
            olderOffset INTEGER,
            olderLink TEXT,
            olderIsInside INTEGER NOT NULL DEFAULT 0,
            olderPages INTEGER NOT NULL DEFAULT 0,
            textDevice INTEGER,
            textInode INTEGER,
            textSize INTEGER,
            textModified INTEGER,
            UNIQUE (agent, key)
        );
        CREATE INDEX file_thread ON file (threadID, agent, modified);
        CREATE INDEX file_list ON file (sortTime DESC, id DESC, isInteractive, isArchived, agent) WHERE isShown = 1;
        CREATE INDEX file_folder ON file (folder, sortTime DESC, id DESC, isInteractive, isArchived, agent) WHERE isShown = 1;
        CREATE INDEX file_due ON file (isInteractive DESC, isArchived, sortTime DESC) WHERE isTextDue = 1 AND isShown = 1;
        CREATE INDEX file_text ON file (sortTime, textBytes) WHERE textBytes > 0;

        CREATE VIRTUAL TABLE title_index USING fts5 (
            searchTitle, content = 'file', content_rowid = 'id', columnsize = 0, prefix = '2 3',
            tokenize = "unicode61 remove_diacritics 2"
        );
        -- Titles of new rows are added by what adds the rows, many at a time.
        CREATE TRIGGER title_removed AFTER DELETE ON file WHEN old.searchTitle IS NOT NULL BEGIN
            INSERT INTO title_index (title_index, rowid, searchTitle) VALUES ('delete', old.id, old.searchTitle);
        END;
        -- Both in one, since the order of triggers is not certain.
        CREATE TRIGGER title_changed AFTER UPDATE OF searchTitle ON file WHEN old.searchTitle IS NOT new.searchTitle BEGIN
            INSERT INTO title_index (title_index, rowid, searchTitle)
                SELECT 'delete', old.id, old.searchTitle WHERE old.searchTitle IS NOT NULL;
            INSERT INTO title_index (rowid, searchTitle) SELECT new.id, new.searchTitle WHERE new.searchTitle IS NOT NULL;
        END;

        -- The id begins with the item's time, so that what is found comes by time without being sorted.
        CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            file INTEGER NOT NULL,
            itemID TEXT NOT NULL,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            place TEXT NOT NULL
        );
        CREATE INDEX item_file ON item (file, position);
        CREATE VIRTUAL TABLE item_index USING fts5 (
            text, place, content = 'item', content_rowid = 'id', columnsize = 0, prefix = '2 3',
            tokenize = "unicode61 remove_diacritics 2"
        );
        -- New items are added by what adds the rows, like titles.
        CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN
            INSERT INTO item_index (item_index, rowid, text, place) VALUES ('delete', old.id, old.text, old.place);
        END;

        -- Names that people gave, and the state of the file that holds an agent's.
        CREATE TABLE name (
            agent TEXT NOT NULL,
            threadID TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (agent, threadID)
        ) WITHOUT ROWID;
        CREATE TABLE names_file (
            agent TEXT PRIMARY KEY NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
