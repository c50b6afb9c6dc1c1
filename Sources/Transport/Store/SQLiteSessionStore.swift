import Foundation
public import GRDB
public import Sealing

/// The session store of a role: a few tables in its database.
///
/// The pool must run with `synchronous=FULL`: an answered handshake, a numbered message and a cursor are promises.
public struct SQLiteSessionStore: SessionStore {
    private let database: any DatabaseWriter

    /// - Parameter database: The role's database; the tables are made when they are missing.
    public init(_ database: any DatabaseWriter) throws {
        self.database = database
        var migrator = DatabaseMigrator()
        migrator.registerMigration("session-1") { database in
            try database.execute(
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
            )
        }
        try migrator.migrate(database)
    }

    public func ticket(for peer: AgreementPublicKey) async throws -> ResumptionTicket? {
        try await database.read { database in
            try Self.ticket(in: database, where: "peer = ?", Data(peer.bytes))
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
        _ argument: Data
    ) throws -> ResumptionTicket? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT peer, ticketID, ticketSecret FROM sessionPeer WHERE \(condition) AND ticketID IS NOT NULL",
            arguments: [argument]
        )
        guard let row else { return nil }
        let peer: Data = try row.decode(forColumn: "peer")
        let id: Data = try row.decode(forColumn: "ticketID")
        let secret: Data = try row.decode(forColumn: "ticketSecret")
        return ResumptionTicket(peer: try AgreementPublicKey(Array(peer)), id: Array(id), secret: Array(secret))
    }

    public func save(_ ticket: ResumptionTicket) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO sessionPeer (peer, ticketID, ticketSecret) VALUES (?, ?, ?)
                    ON CONFLICT (peer) DO UPDATE SET ticketID = excluded.ticketID, ticketSecret = excluded.ticketSecret
                    """,
                arguments: [Data(ticket.peer.bytes), Data(ticket.id), Data(ticket.secret)]
            )
        }
    }

    public func nextCounter(to peer: AgreementPublicKey, clock: Int64) async throws -> Int64 {
        try await database.write { database in
            let counter = try Int64.fetchOne(
                database,
                sql: """
                    INSERT INTO sessionPeer (peer, sentCounter) VALUES (?, ?)
                    ON CONFLICT (peer) DO UPDATE SET sentCounter = max(excluded.sentCounter, sentCounter + 1)
                    RETURNING sentCounter
                    """,
                arguments: [Data(peer.bytes), clock]
            )
            guard let counter else { throw SessionError.storeAnsweredNothing }
            return counter
        }
    }

    public func acceptCounter(_ counter: Int64, from peer: AgreementPublicKey) async throws -> Bool {
        guard counter > 0 else { return false }
        return try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO sessionPeer (peer, acceptedCounter) VALUES (?, ?)
                    ON CONFLICT (peer) DO UPDATE SET acceptedCounter = excluded.acceptedCounter
                    WHERE excluded.acceptedCounter > acceptedCounter
                    """,
                arguments: [Data(peer.bytes), counter]
            )
            return database.changesCount > 0
        }
    }

    public func appendOutbound(_ bytes: [UInt8], to peer: AgreementPublicKey) async throws -> UInt64 {
        try await database.write { database in
            let number = try Int64.fetchOne(
                database,
                sql: """
                    INSERT INTO sessionPeer (peer, lastOutbound) VALUES (?, 1)
                    ON CONFLICT (peer) DO UPDATE SET lastOutbound = lastOutbound + 1
                    RETURNING lastOutbound
                    """,
                arguments: [Data(peer.bytes)]
            )
            guard let number else { throw SessionError.storeAnsweredNothing }
            try database.execute(
                sql: "INSERT INTO sessionOutbound (peer, number, bytes) VALUES (?, ?, ?)",
                arguments: [Data(peer.bytes), number, Data(bytes)]
            )
            return UInt64(number)
        }
    }

    public func outbound(to peer: AgreementPublicKey) async throws -> [DurableMessage] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT number, bytes FROM sessionOutbound WHERE peer = ? ORDER BY number",
                arguments: [Data(peer.bytes)]
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
            try database.execute(
                sql: "DELETE FROM sessionOutbound WHERE peer = ? AND number <= ?",
                arguments: [Data(peer.bytes), Int64(clamping: number)]
            )
        }
    }

    public func inboundCursor(from peer: AgreementPublicKey) async throws -> UInt64 {
        try await database.read { database in
            let cursor = try Int64.fetchOne(
                database,
                sql: "SELECT inboundCursor FROM sessionPeer WHERE peer = ?",
                arguments: [Data(peer.bytes)]
            )
            return UInt64(cursor ?? 0)
        }
    }

    public func advanceInboundCursor(to number: UInt64, from peer: AgreementPublicKey) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO sessionPeer (peer, inboundCursor) VALUES (?, ?)
                    ON CONFLICT (peer) DO UPDATE SET inboundCursor = max(inboundCursor, excluded.inboundCursor)
                    """,
                arguments: [Data(peer.bytes), Int64(clamping: number)]
            )
        }
    }

    public func forget(_ peer: AgreementPublicKey) async throws {
        try await database.write { database in
            let key = Data(peer.bytes)
            try database.execute(sql: "DELETE FROM sessionPeer WHERE peer = ?", arguments: [key])
            try database.execute(sql: "DELETE FROM sessionOutbound WHERE peer = ?", arguments: [key])
        }
    }
}
