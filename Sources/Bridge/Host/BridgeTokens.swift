import Foundation
import GRDB
import Kernel
import Principals
import Rights
import Sealing
import Storage

/// A device with a token of the bridge.
struct BridgeDevice: Hashable, Sendable {
    let name: String
    let rights: Set<Right>
}

extension BearerEntry<BridgeDevice> {
    var name: String { holder.name }
    var rights: Set<Right> { holder.rights }
    /// The id for ``Caller/id``.
    var callerID: String { Principal.tokenHolder(id).id }
}

/// The tokens of the bridge, one for each device: hashes of them, never the tokens.
final class BridgeTokens: Sendable {
    typealias Token = BearerEntry<BridgeDevice>

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
    /// The most tokens: as many devices as an owner keeps in view.
    static let countLimit = 256
    static let nameLimit = 64
    /// The limit of a name in bytes: one character may have any number of accents.
    static let nameByteLimit = 256
    private static let prefix = "tdb_"
    private static let policy = BearerPolicy(
        limit: countLimit,
        whenFull: .refuse,
        succession: .init(age: .seconds(30 * 86_400), overlap: .seconds(86_400))
    )

    private let secrets: BearerSecrets<BridgeDevice>

    /// - Throws: What the database says.
    init(_ database: any DatabaseWriter) throws {
        let table = BridgeTokenTable(database: database)
        secrets = BearerSecrets(try table.all(), store: table, policy: Self.policy)
    }

    /// The oldest first.
    var all: [Token] { secrets.all }

    subscript(id: String) -> Token? { secrets[id] }

    /// Makes a token.
    ///
    /// - Returns: What is kept of it, and the token itself, which is told this once.
    /// - Throws: ``BridgeError/tooManyTokens(limit:)``; what the database says.
    func add(name: String, rights: Set<Right>, now: Date) async throws -> (Token, text: String) {
        let secret = Secret(prefix: Self.prefix)
        let id = Hexadecimal.encode(RandomBytes.make(5))
        let device = BridgeDevice(name: Self.clean(name), rights: rights)
        do {
            return (try await secrets.add(secret.hash(), id: id, holder: device, now: now), secret.text)
        } catch BearerError.full(let limit) {
            throw BridgeError.tooManyTokens(limit: limit)
        }
    }

    /// Takes a token back: it is unknown when this returns, whatever the disk says.
    func remove(_ id: String) async throws { try await secrets.remove(id) }

    /// Finds the token of a text.
    ///
    /// - Returns: Nil for a text that is no token, and for one that was replaced a day ago.
    func match(_ text: String, now: Date) -> Token? { secrets.match(SecretHash(of: text), now: now) }

    /// Makes another token in the place of one that is old.
    ///
    /// - Returns: Nil where the token is good for longer. One that was given before and not used is forgotten.
    func next(for id: String, now: Date) -> String? {
        secrets.successor(of: id, prefix: Self.prefix, now: now)?.text
    }

    /// Notes a visit, and what ``match(_:now:)`` and ``next(for:now:)`` changed.
    ///
    /// - Throws: What the database says. A successor that is not on disk is taken back: it must not be told.
    func note(_ id: String, from address: String?, now: Date) async throws {
        try await secrets.note(id, from: address, now: now)
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
