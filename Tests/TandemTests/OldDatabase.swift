import Testing

/// What versions before schemas wrote: the text of each step of theirs, as SQLite saw it, and rows for its tables.
///
/// These texts never change: such databases are on people's disks.
enum OldDatabase {
    struct Step {
        let identifier: String
        let sql: String
        /// What a role wrote as soon as it had the table.
        var row = ""
    }

    /// The orders in which versions of a role took their steps: oldest first, then with what later versions added behind.
    static let orders: [String: [[String]]] = [
        "hub": [["signaling-1", "signaling-2"]],
        "desktop": desktops,
        "phone": [
            [
                "pairing-pairedDesktop-1", "session-1", "pairing-pairedDesktop-2", "files-fileTransfer-1",
                "remote-offlineCommand-1",
            ],
            [
                "pairing-pairedDesktop-1", "session-1", "files-fileTransfer-1", "remote-offlineCommand-1",
                "pairing-pairedDesktop-2",
            ],
            [
                "pairing-pairedDesktop-1", "pairing-pairedDesktop-2", "session-1", "files-fileTransfer-1",
                "remote-offlineCommand-1",
            ],
        ],
    ]

    private static let desktops: [[String]] = {
        let last = [
            "pairing-pairedPhone-1", "pairing-pairedPhone-2", "session-1", "signaling-1", "signaling-2",
            "pairing-guesses-1", "files-fileUpload-1", "remote-audit-1", "remote-audit-2", "remote-nonce-1",
            "remote-answer-1",
        ]
        let first = ["pairing-pairedPhone-1", "session-1", "signaling-1"]
        let remote = ["remote-audit-1", "remote-nonce-1", "remote-answer-1"]
        // Without shared folders a desktop kept no uploads.
        let firsts = [
            [], first, first + ["files-fileUpload-1"], first + ["files-fileUpload-1"] + remote, first + remote,
        ]
        let whole = firsts.map { first in first + last.filter { !first.contains($0) } }
        return whole + whole.map { $0.filter { $0 != "files-fileUpload-1" } }
    }()

    static func step(_ identifier: String) throws -> Step {
        try #require(steps.first { $0.identifier == identifier }, "\(identifier)")
    }

    private static let steps = [
        Step(
            identifier: "pairing-pairedPhone-1",
            sql: """
                CREATE TABLE pairedPhone (
                    did TEXT PRIMARY KEY NOT NULL, deviceId TEXT NOT NULL, name TEXT NOT NULL, platform TEXT NOT NULL,
                    addressesJson TEXT NOT NULL, agreementKey BLOB, pairedAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
                    allowedSkillsJson TEXT NOT NULL, state TEXT NOT NULL, provisionalUntil INTEGER
                ) STRICT
                """,
            row: """
                INSERT INTO pairedPhone VALUES ('did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', 'b1d6', 'My iPhone',
                    'ios', '["wss://relay.example.net"]', NULL, 1790000000000, 1790000000000, '["terminal","file"]', 'confirmed', NULL)
                """
        ),
        Step(
            identifier: "pairing-pairedPhone-2",
            sql: """
                ALTER TABLE pairedPhone ADD COLUMN unsignedRightsJson TEXT NOT NULL DEFAULT '[]'
                """
        ),
        Step(
            identifier: "pairing-pairedDesktop-1",
            sql: """
                CREATE TABLE pairedDesktop (
                    pcPeerId TEXT PRIMARY KEY NOT NULL, deviceName TEXT NOT NULL, platform TEXT NOT NULL,
                    lanSignalingUrl TEXT, relayUrl TEXT, iceServersJson TEXT, iceExpiry INTEGER NOT NULL,
                    pairedAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
                    did TEXT, agreementKey BLOB, state TEXT NOT NULL, provisionalUntil INTEGER
                ) STRICT
                """,
            row: """
                INSERT INTO pairedDesktop VALUES ('9f0c', 'studio-pc', 'linux', 'ws://192.168.7.20:9001', NULL, NULL, 0,
                    1790000000000, 1790000000000, NULL, NULL, 'unconfirmed', NULL)
                """
        ),
        Step(
            identifier: "pairing-pairedDesktop-2",
            sql: """
                ALTER TABLE pairedDesktop ADD COLUMN clearRightsJson TEXT NOT NULL DEFAULT '[]'
                """
        ),
        Step(
            identifier: "session-1",
            sql: """
                CREATE TABLE sessionPeer (
                    peer BLOB PRIMARY KEY NOT NULL,
                    ticketID BLOB,
                    ticketSecret BLOB,
                    sentCounter INTEGER NOT NULL DEFAULT 0,
                    acceptedCounter INTEGER NOT NULL DEFAULT 0,
                    lastOutbound INTEGER NOT NULL DEFAULT 0,
                    inboundCursor INTEGER NOT NULL DEFAULT 0
                ) WITHOUT ROWID;
                CREATE UNIQUE INDEX sessionPeerTicket ON sessionPeer (ticketID);
                CREATE TABLE sessionOutbound (
                    peer BLOB NOT NULL,
                    number INTEGER NOT NULL,
                    bytes BLOB NOT NULL,
                    PRIMARY KEY (peer, number)
                );
                """,
            row: """
                INSERT INTO sessionPeer VALUES (x'0102', x'03', x'04', 5, 6, 1, 8);
                INSERT INTO sessionOutbound VALUES (x'0102', 1, x'09');
                """
        ),
        Step(
            identifier: "signaling-1",
            sql: """
                CREATE TABLE "signalingMailbox" ("number" INTEGER PRIMARY KEY AUTOINCREMENT, "recipient" TEXT NOT NULL, "sender" TEXT,
                    "storedAt" INTEGER NOT NULL, "frame" BLOB NOT NULL);
                CREATE INDEX "signalingMailbox_on_storedAt" ON "signalingMailbox"("storedAt");
                CREATE INDEX "signalingMailboxByRecipient" ON "signalingMailbox"("recipient", "number");
                CREATE INDEX "signalingMailboxBySender" ON "signalingMailbox"("sender");
                CREATE TABLE "signalingMailboxUse" ("recipient" TEXT PRIMARY KEY NOT NULL, "frames" INTEGER NOT NULL,
                    "bytes" INTEGER NOT NULL) WITHOUT ROWID;
                CREATE TRIGGER signalingMailboxAdded AFTER INSERT ON signalingMailbox BEGIN
                    INSERT INTO signalingMailboxUse VALUES (new.recipient, 1, LENGTH(new.frame))
                    ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes;
                END;
                CREATE TRIGGER signalingMailboxRemoved AFTER DELETE ON signalingMailbox BEGIN
                    UPDATE signalingMailboxUse SET frames = frames - 1, bytes = bytes - LENGTH(old.frame)
                    WHERE recipient = old.recipient;
                    DELETE FROM signalingMailboxUse WHERE recipient = old.recipient AND frames = 0;
                END;
                CREATE TABLE "signalingKey" ("peer" TEXT PRIMARY KEY NOT NULL, "key" TEXT NOT NULL);
                CREATE TABLE "signalingContact" ("sender" TEXT NOT NULL, "recipient" TEXT NOT NULL, "at" INTEGER NOT NULL,
                    PRIMARY KEY ("sender", "recipient")) WITHOUT ROWID;
                """,
            row: """
                INSERT INTO signalingKey (peer, key) VALUES ('"pc"', 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH');
                INSERT INTO signalingContact VALUES ('"a"', '"b"', 5);
                INSERT INTO signalingMailbox (recipient, sender, storedAt, frame) VALUES ('"pc"', '"a"', 5, x'0102');
                INSERT INTO signalingMailbox (recipient, storedAt, frame) VALUES ('"b"', 6, x'03');
                """
        ),
        Step(
            identifier: "signaling-2",
            sql: """
                ALTER TABLE "signalingKey" ADD COLUMN "seenAt" INTEGER NOT NULL DEFAULT 0;
                UPDATE signalingKey SET seenAt = CAST(strftime('%s', 'now') AS INTEGER) * 1000;
                CREATE INDEX "signalingKeyByKey" ON "signalingKey"("key");
                CREATE INDEX "signalingContactByTime" ON "signalingContact"("at");
                ALTER TABLE "signalingMailbox" ADD COLUMN "isProven" BOOLEAN NOT NULL DEFAULT 1;
                ALTER TABLE "signalingMailboxUse" ADD COLUMN "unprovenFrames" INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE "signalingMailboxUse" ADD COLUMN "unprovenBytes" INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE "signalingCount" ("name" TEXT PRIMARY KEY NOT NULL, "rows" INTEGER NOT NULL) WITHOUT ROWID;
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
                """,
            row: """
                INSERT INTO signalingMailbox (recipient, isProven, storedAt, frame) VALUES ('"pc"', 0, 7, x'040506');
                """
        ),
        Step(
            identifier: "pairing-guesses-1",
            sql: """
                CREATE TABLE pairing_guesses (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL)
                """,
            row: """
                INSERT INTO pairing_guesses VALUES (1, '{"failures":[],"locks":3}')
                """
        ),
        Step(
            identifier: "files-fileUpload-1",
            sql: """
                CREATE TABLE fileUpload (id TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL) STRICT
                """,
            row: """
                INSERT INTO fileUpload VALUES ('u', '{}')
                """
        ),
        Step(
            identifier: "files-fileTransfer-1",
            sql: """
                CREATE TABLE fileTransfer (id TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL) STRICT
                """,
            row: """
                INSERT INTO fileTransfer VALUES ('t', '{}')
                """
        ),
        Step(
            identifier: "remote-audit-1",
            sql: """
                CREATE TABLE remoteAudit (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, caller TEXT NOT NULL, name TEXT NOT NULL, method TEXT NOT NULL,
                    risk TEXT NOT NULL, outcome TEXT NOT NULL, code INTEGER, firstAt INTEGER NOT NULL,
                    lastAt INTEGER NOT NULL, count INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX remoteAuditByOutcome ON remoteAudit (outcome, id);
                CREATE INDEX remoteAuditByCall ON remoteAudit (caller, method, outcome, id);
                """,
            row: """
                INSERT INTO remoteAudit (caller, name, method, risk, outcome, code, firstAt, lastAt, count)
                    VALUES ('did', 'My iPhone', 'file.read', 'ReadOnly', 'done', NULL, 1, 2, 3)
                """
        ),
        Step(
            identifier: "remote-audit-2",
            sql: """
                ALTER TABLE remoteAudit ADD COLUMN actor TEXT NOT NULL DEFAULT 'phone';
                ALTER TABLE remoteAudit ADD COLUMN detail TEXT;
                CREATE INDEX remoteAuditByActor ON remoteAudit (actor, id);
                """
        ),
        Step(
            identifier: "remote-nonce-1",
            sql: """
                CREATE TABLE remoteNonce (
                    did TEXT NOT NULL, nonce TEXT NOT NULL, expiresAt INTEGER NOT NULL, PRIMARY KEY (did, nonce)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX remoteNonceByExpiry ON remoteNonce (expiresAt);
                """,
            row: """
                INSERT INTO remoteNonce VALUES ('did', 'n', 99)
                """
        ),
        Step(
            identifier: "remote-answer-1",
            sql: """
                CREATE TABLE remoteAnswer (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, caller TEXT NOT NULL, requestId TEXT NOT NULL,
                    method TEXT NOT NULL, begunAt INTEGER NOT NULL, answerJson TEXT, UNIQUE (caller, requestId)
                ) STRICT;
                CREATE INDEX remoteAnswerByAge ON remoteAnswer (begunAt);
                """,
            row: """
                INSERT INTO remoteAnswer VALUES (4, 'did', 'r', 'work.do', 5, '{}')
                """
        ),
        Step(
            identifier: "remote-offlineCommand-1",
            sql: """
                CREATE TABLE offlineCommand (
                    position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, requestId TEXT NOT NULL,
                    desktopId TEXT NOT NULL, method TEXT NOT NULL, paramsJson TEXT NOT NULL, mobileDid TEXT,
                    timestamp INTEGER NOT NULL, status TEXT NOT NULL, retries INTEGER NOT NULL, errorMessage TEXT,
                    expiresAt INTEGER NOT NULL
                ) STRICT
                """,
            row: """
                INSERT INTO offlineCommand (id, requestId, desktopId, method, paramsJson, timestamp, status, retries, expiresAt)
                    VALUES ('0b1c2d3e-0000-4000-8000-000000000001', '0b1c2d3e-0000-4000-8000-000000000001', '9f0c',
                        'clipboard.set', '{"text":"hi"}', 1, 'sending', 2, 9)
                """
        ),
    ]
}
