import Foundation
public import GRDB
public import Sealing
public import Storage

/// The session store of a role: a few tables in its database.
///
/// The pool must run with `synchronous=FULL`: an answered handshake, a numbered message and a cursor are promises.
public struct SQLiteSessionStore: SessionStore {
    private let database: any DatabaseWriter

    /// The store's tables.
    public static let migrations = [
        Migration(
            "session-1",
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
                """
        ),
        Migration(
            "session-2",
            sql: """
                CREATE TABLE sessionKept (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    peer BLOB NOT NULL,
                    topic TEXT NOT NULL,
                    messageKey TEXT,
                    bytes BLOB NOT NULL,
                    addedAt INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX sessionKeptByPeer ON sessionKept (peer, id);
                """
        ),
        Migration("session-3", sql: "ALTER TABLE sessionKept ADD COLUMN isState INTEGER NOT NULL DEFAULT 0"),
    ]

    /// - Parameter database: The role's database, with these ``migrations``.
    public init(_ database: any DatabaseWriter) { self.database = database }

    public func ticket(for peer: AgreementPublicKey) async throws -> ResumptionTicket? {
        try await database.read { database in
            try Self.ticket(in: database, where: "peer = ?", peer)
        }
    }

    public func ticket(id: [UInt8]) async throws -> ResumptionTicket? {
        try await database.read { database in
            try Self.ticket(in: database, where: "ticketID = ?", Data(id))
        }
    }

    private static func ticket(
        in database: Database,
        where condition: String,
        _ argument: any DatabaseValueConvertible
    ) throws -> ResumptionTicket? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT peer, ticketID, ticketSecret FROM sessionPeer WHERE \(condition) AND ticketID IS NOT NULL",
            arguments: [argument]
        )
        guard let row else { return nil }
        let id: Data = try row.decode(forColumn: "ticketID")
        let secret: Data = try row.decode(forColumn: "ticketSecret")
        return ResumptionTicket(peer: try row.decode(forColumn: "peer"), id: Array(id), secret: Array(secret))
    }

    public func save(_ ticket: ResumptionTicket) async throws {
        try await database.write { database in
            try database.run(
                """
                INSERT INTO sessionPeer (peer, ticketID, ticketSecret)
                    VALUES (\(ticket.peer), \(Data(ticket.id)), \(Data(ticket.secret)))
                ON CONFLICT (peer) DO UPDATE SET ticketID = excluded.ticketID, ticketSecret = excluded.ticketSecret
                """
            )
        }
    }

    public func nextCounter(to peer: AgreementPublicKey, clock: Int64) async throws -> Int64 {
        try await database.write { database in
            let counter: Int64? = try database.value(
                """
                INSERT INTO sessionPeer (peer, sentCounter) VALUES (\(peer), \(clock))
                ON CONFLICT (peer) DO UPDATE SET sentCounter = max(excluded.sentCounter, sentCounter + 1)
                RETURNING sentCounter
                """
            )
            guard let counter else { throw SessionError.storeAnsweredNothing }
            return counter
        }
    }

    public func acceptCounter(_ counter: Int64, from peer: AgreementPublicKey) async throws -> Bool {
        guard counter > 0 else { return false }
        return try await database.write { database in
            try database.run(
                """
                INSERT INTO sessionPeer (peer, acceptedCounter) VALUES (\(peer), \(counter))
                ON CONFLICT (peer) DO UPDATE SET acceptedCounter = excluded.acceptedCounter
                WHERE excluded.acceptedCounter > acceptedCounter
                """
            )
            return database.changesCount > 0
        }
    }

    public func appendOutbound(_ bytes: [UInt8], to peer: AgreementPublicKey) async throws -> UInt64 {
        try await database.write { try Self.append(Data(bytes), to: peer, in: $0) }
    }

    private static func append(_ bytes: Data, to peer: AgreementPublicKey, in database: Database) throws -> UInt64 {
        let number: Int64? = try database.value(
            """
            INSERT INTO sessionPeer (peer, lastOutbound) VALUES (\(peer), 1)
            ON CONFLICT (peer) DO UPDATE SET lastOutbound = lastOutbound + 1
            RETURNING lastOutbound
            """
        )
        guard let number else { throw SessionError.storeAnsweredNothing }
        try database.run("INSERT INTO sessionOutbound (peer, number, bytes) VALUES (\(peer), \(number), \(bytes))")
        return UInt64(number)
    }

    public func keep(
        _ message: KeptMessage,
        for peer: AgreementPublicKey,
        at time: Int64,
        bounds: KeptBounds
    ) async throws -> Int {
        try await database.write { database in
            if let key = message.key {
                try database.run("DELETE FROM sessionKept WHERE peer = \(peer) AND messageKey = \(key)")
            }
            try database.run(
                """
                INSERT INTO sessionKept (peer, topic, messageKey, bytes, addedAt, isState)
                VALUES (\(peer), \(message.topic), \(message.key), \(Data(message.bytes)), \(time), \(message.isState))
                """
            )
            return try Self.dropKept(beyond: bounds, at: time, for: peer, in: database)
        }
    }

    /// The newest stay, as many as fit by count, bytes and age; states stay beside them.
    private static func dropKept(
        beyond bounds: KeptBounds,
        at time: Int64,
        for peer: AgreementPublicKey,
        in database: Database
    ) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM sessionKept WHERE peer = :peer AND isState = 0 AND (
                    addedAt < :oldest OR id IN (
                        SELECT id FROM (
                            SELECT id, row_number() OVER newestFirst AS place, sum(length(bytes)) OVER newestFirst AS total
                            FROM sessionKept WHERE peer = :peer AND isState = 0
                            WINDOW newestFirst AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
                        ) WHERE place > :count OR total > :bytes
                    )
                )
                """,
            arguments: ["peer": peer, "oldest": time - bounds.age, "count": bounds.count, "bytes": bounds.bytes]
        )
        return database.changesCount
    }

    public func moveKept(
        to peer: AgreementPublicKey,
        at time: Int64,
        bounds: KeptBounds
    ) async throws -> DurableMessage? {
        try await database.write { database in
            _ = try Self.dropKept(beyond: bounds, at: time, for: peer, in: database)
            let row = try database.row("SELECT id, bytes FROM sessionKept WHERE peer = \(peer) ORDER BY id LIMIT 1")
            guard let row else { return nil }
            let bytes: Data = try row.decode(forColumn: "bytes")
            let id: Int64 = try row.decode(forColumn: "id")
            try database.run("DELETE FROM sessionKept WHERE id = \(id)")
            return DurableMessage(number: try Self.append(bytes, to: peer, in: database), bytes: Array(bytes))
        }
    }

    public func dropKept(topics: Set<String>, for peer: AgreementPublicKey) async throws {
        try await database.write { database in
            for topic in topics {
                try database.run("DELETE FROM sessionKept WHERE peer = \(peer) AND topic = \(topic)")
            }
        }
    }

    public func outbound(to peer: AgreementPublicKey) async throws -> [DurableMessage] {
        try await database.read { database in
            let rows = try database.rows(
                "SELECT number, bytes FROM sessionOutbound WHERE peer = \(peer) ORDER BY number"
            )
            return try rows.map { row in
                let number: Int64 = try row.decode(forColumn: "number")
                let bytes: Data = try row.decode(forColumn: "bytes")
                return DurableMessage(number: UInt64(number), bytes: Array(bytes))
            }
        }
    }

    public func removeOutbound(through number: UInt64, to peer: AgreementPublicKey) async throws {
        try await database.write { database in
            try database.run(
                "DELETE FROM sessionOutbound WHERE peer = \(peer) AND number <= \(Int64(clamping: number))"
            )
        }
    }

    public func inboundCursor(from peer: AgreementPublicKey) async throws -> UInt64 {
        try await database.read { database in
            let cursor: Int64? = try database.value("SELECT inboundCursor FROM sessionPeer WHERE peer = \(peer)")
            return UInt64(cursor ?? 0)
        }
    }

    public func advanceInboundCursor(to number: UInt64, from peer: AgreementPublicKey) async throws {
        try await database.write { database in
            try database.run(
                """
                INSERT INTO sessionPeer (peer, inboundCursor) VALUES (\(peer), \(Int64(clamping: number)))
                ON CONFLICT (peer) DO UPDATE SET inboundCursor = max(inboundCursor, excluded.inboundCursor)
                """
            )
        }
    }

    public func startOver(with peer: AgreementPublicKey) async throws {
        try await database.write { database in
            try database.run(
                "UPDATE sessionPeer SET inboundCursor = 0, ticketID = NULL, ticketSecret = NULL WHERE peer = \(peer)"
            )
        }
    }

    public func forget(_ peer: AgreementPublicKey) async throws {
        try await database.write { database in
            try database.run("DELETE FROM sessionPeer WHERE peer = \(peer)")
            try database.run("DELETE FROM sessionOutbound WHERE peer = \(peer)")
            try database.run("DELETE FROM sessionKept WHERE peer = \(peer)")
        }
    }
}
