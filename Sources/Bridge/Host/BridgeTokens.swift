import Crypto
import Foundation
import GRDB
import Kernel
import Principals
import Rights
import Sealing
import Storage
import Synchronization

/// The tokens of the bridge, one for each device: hashes of them, never the tokens.
final class BridgeTokens: Sendable {
    static let migrations = [
        Migration(
            "bridge-1",
            sql: """
                CREATE TABLE bridgeToken (
                    id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, rights TEXT NOT NULL, hash BLOB NOT NULL,
                    nextHash BLOB, nextSince INTEGER, createdAt INTEGER NOT NULL, tokenSince INTEGER NOT NULL,
                    lastSeenAt INTEGER, address TEXT
                ) STRICT
                """
        )
    ]
    /// The most tokens: as many devices as an owner keeps in view. Every Hello is compared with each of them.
    static let countLimit = 256
    static let nameLimit = 64
    /// The limit of a name in bytes: one character may have any number of accents.
    static let nameByteLimit = 256
    /// How long a token is good beside the one that was given in its place.
    static let overlapMilliseconds: Int64 = 24 * 3_600_000
    /// The age after which a token is replaced for a client that takes another.
    static let ageMilliseconds: Int64 = 30 * 24 * 3_600_000
    /// The time between two notes of the same device's visit.
    private static let visitMilliseconds: Int64 = 60_000

    struct Token: Hashable, Sendable {
        var id: String
        var name: String
        var rights: Set<Right>
        var createdAt: Int64
        /// When the token in use was made.
        var tokenSince: Int64
        var lastSeenAt: Int64?
        var address: String?
        fileprivate var hash: [UInt8]
        fileprivate var nextHash: [UInt8]?
        fileprivate var nextSince: Int64?
        /// The successor as the disk knows it.
        fileprivate var written = Successor()
        /// Whether the disk knows less.
        fileprivate var isTurned = false

        /// The id for ``Caller/id``.
        var callerID: String { Principal.tokenHolder(id).id }
    }

    fileprivate struct Successor: Hashable, Sendable {
        var hash: [UInt8]?
        var since: Int64?
    }

    private let database: any DatabaseWriter
    private let tokens: Mutex<[String: Token]>

    /// - Throws: What the database says.
    init(_ database: any DatabaseWriter) throws {
        self.database = database
        let known = try database.read { try Row.fetchAll($0, sql: "SELECT * FROM bridgeToken").map(Self.token) }
        tokens = Mutex(Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    private static func token(_ row: Row) -> Token {
        Token(
            id: row["id"],
            name: row["name"],
            rights: Right.stored((row["rights"] as String).split(separator: " ").map(String.init)),
            createdAt: row["createdAt"],
            tokenSince: row["tokenSince"],
            lastSeenAt: row["lastSeenAt"],
            address: row["address"],
            hash: Array(row["hash"] as Data),
            nextHash: (row["nextHash"] as Data?).map(Array.init),
            nextSince: row["nextSince"],
            written: Successor(hash: (row["nextHash"] as Data?).map(Array.init), since: row["nextSince"])
        )
    }

    /// The oldest first.
    var all: [Token] {
        tokens.withLock { Array($0.values) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    subscript(id: String) -> Token? { tokens.withLock { $0[id] } }

    /// Makes a token.
    ///
    /// - Returns: What is kept of it, and the token itself, which is told this once.
    /// - Throws: ``BridgeError/tooManyTokens(limit:)``; what the database says.
    func add(name: String, rights: Set<Right>, now: Date) async throws -> (Token, text: String) {
        let text = Self.newText()
        let time = now.millisecondsSince1970
        let token = Token(
            id: Hexadecimal.encode(RandomBytes.make(5)),
            name: Self.clean(name),
            rights: rights,
            createdAt: time,
            tokenSince: time,
            hash: Self.hash(text)
        )
        try tokens.withLock { tokens in
            guard tokens.count < Self.countLimit else { throw BridgeError.tooManyTokens(limit: Self.countLimit) }
            tokens[token.id] = token
        }
        do {
            try await database.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO bridgeToken (id, name, rights, hash, createdAt, tokenSince) VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        token.id, token.name, rights.map(\.rawValue).sorted().joined(separator: " "), Data(token.hash),
                        time, time,
                    ]
                )
            }
        } catch {
            // A token that is not on disk would be gone after a restart, unexplained.
            tokens.withLock { _ = $0.removeValue(forKey: token.id) }
            throw error
        }
        return (token, text)
    }

    /// Takes a token back: it is unknown when this returns, whatever the disk says.
    func remove(_ id: String) async throws {
        tokens.withLock { _ = $0.removeValue(forKey: id) }
        try await database.write { try $0.execute(sql: "DELETE FROM bridgeToken WHERE id = ?", arguments: [id]) }
    }

    /// Finds the token of a text. Does the same work for every text: it is hashed, and compared with every token to the last byte.
    ///
    /// - Returns: Nil for a text that is no token, and for one that was replaced a day ago.
    func match(_ text: String, now: Date) -> Token? {
        let shown = Self.hash(text)
        let time = now.millisecondsSince1970
        return tokens.withLock { tokens in
            var found: (id: String, isNext: Bool)?
            for token in tokens.values {
                if Self.areEqual(shown, token.hash) { found = (token.id, false) }
                if Self.areEqual(shown, token.nextHash ?? token.hash), token.nextHash != nil {
                    found = (token.id, true)
                }
            }
            guard let found, let token = tokens[found.id] else { return nil }
            guard !found.isNext else {
                // Used once, it is the token.
                tokens[found.id]?.hash = shown
                tokens[found.id]?.nextHash = nil
                tokens[found.id]?.nextSince = nil
                tokens[found.id]?.tokenSince = token.nextSince ?? time
                tokens[found.id]?.isTurned = true
                return tokens[found.id]
            }
            if let since = token.nextSince, time - since > Self.overlapMilliseconds { return nil }
            return token
        }
    }

    /// Makes another token in the place of one that is old.
    ///
    /// - Returns: Nil where the token is good for longer. One that was given before and not used is forgotten.
    func next(for id: String, now: Date) -> String? {
        let time = now.millisecondsSince1970
        let text = Self.newText()
        return tokens.withLock { tokens in
            guard let token = tokens[id], time - token.tokenSince >= Self.ageMilliseconds else { return nil }
            tokens[id]?.nextHash = Self.hash(text)
            // A client that lost the answer asks again; its time counts from the first.
            tokens[id]?.nextSince = token.nextSince ?? time
            tokens[id]?.isTurned = true
            return text
        }
    }

    /// Notes a visit, and what ``match(_:now:)`` and ``next(for:now:)`` changed.
    ///
    /// - Throws: What the database says. A successor that is not on disk is taken back: it must not be told.
    func note(_ id: String, from address: String?, now: Date) async throws {
        let time = now.millisecondsSince1970
        let changed: Token? = tokens.withLock { tokens in
            guard let before = tokens[id] else { return nil }
            tokens[id]?.lastSeenAt = time
            tokens[id]?.address = address
            let isRecent = before.lastSeenAt.map { time - $0 < Self.visitMilliseconds } ?? false
            return isRecent && before.address == address && !before.isTurned ? nil : tokens[id]
        }
        guard let changed else { return }
        do {
            try await write(changed)
        } catch {
            takeBack(changed)
            throw error
        }
        tokens.withLock { tokens in
            guard let token = tokens[id] else { return }
            tokens[id]?.written = Successor(hash: changed.nextHash, since: changed.nextSince)
            // A token that was turned meanwhile is written by another visit.
            if token.hash == changed.hash, token.nextHash == changed.nextHash { tokens[id]?.isTurned = false }
        }
    }

    private func write(_ token: Token) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE bridgeToken SET hash = ?, nextHash = ?, nextSince = ?, tokenSince = ?, lastSeenAt = ?, address = ?
                    WHERE id = ?
                    """,
                arguments: [
                    Data(token.hash), token.nextHash.map { Data($0) }, token.nextSince, token.tokenSince,
                    token.lastSeenAt, token.address, token.id,
                ]
            )
        }
    }

    /// Forgets a successor that could not be written. Its device is not told of it, and its time would end the token in use.
    private func takeBack(_ token: Token) {
        tokens.withLock { tokens in
            guard let hash = token.nextHash, tokens[token.id]?.nextHash == hash else { return }
            tokens[token.id]?.nextHash = token.written.hash
            tokens[token.id]?.nextSince = token.written.since
        }
    }

    // MARK: Texts

    /// 256 bits, in letters that need no escape anywhere.
    static func newText() -> String { "tdb_" + Base64URL.encode(RandomBytes.make(32)) }

    static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// Compares in a time that depends on the lengths only.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(left, right) { difference |= one ^ other }
        return difference == 0
    }

    /// A device's name as it is kept: what acts on a screen is left out.
    static func clean(_ name: String) -> String {
        let shown = String(String.UnicodeScalarView(name.unicodeScalars.filter { !TerminalText.isUnsafe($0) }))
        var bytes = 0
        let fitting = shown.prefix(nameLimit).unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= nameByteLimit
        }
        let cut = String(String.UnicodeScalarView(fitting)).trimmingCharacters(in: .whitespaces)
        // Fillers and joiners alone would leave its row of the list empty.
        let isBlank = cut.unicodeScalars.allSatisfy {
            $0.properties.isDefaultIgnorableCodePoint || $0.properties.isWhitespace
        }
        return isBlank ? "unnamed device" : cut
    }
}
