import Accounts
import Crypto
import Foundation
import JWTKit
import Kernel

/// Makes and reads access tokens: JWTs of 15 minutes, signed with HMAC-SHA256 by a key that is replaced each day. The key before is kept for as
/// long as its tokens live.
actor AccessTokens {
    /// What a token says, with its signature and its times checked.
    struct Content: Hashable, Sendable {
        let person: UserID
        let platform: PlatformID
        let session: String
        /// Seconds since 1970.
        let expiresAt: Int64
    }

    static let lifetime = 900
    /// The largest difference between two clocks, in seconds.
    static let skew: Int64 = 60
    private static let keyLifetime: Int64 = 86_400_000
    /// After a key was replaced, its last token lives so long. Milliseconds.
    private static let afterlife = (Int64(lifetime) + skew) * 1000
    /// Ours have some 300.
    private static let byteLimit = 2048
    private static let fileName = "access-tokens"

    private let folder: StateFolder
    private let time: any TimeSource
    private let disk = BlockingWork("tandem.tokens", width: 1)
    /// The one that signs is last.
    private var keys: [TokenKey]
    /// One collection a key: a collection of several falls back to its first key for a `kid` that it does not know.
    private var collections: [String: JWTKeyCollection] = [:]

    /// - Parameter folder: The feature's own, in whose folder of keys the file is kept.
    /// - Throws: ``AccountsError/keysDamaged(path:)``, `StateFolderError`.
    init(folder: StateFolder, time: any TimeSource) throws {
        self.folder = folder
        self.time = time
        if let bytes = try folder.readKey(Self.fileName) {
            guard let file = try? JSONValue(parsing: bytes).decode(as: TokenKeyFile.self), !file.keys.isEmpty,
                file.keys.allSatisfy({ $0.secretBytes != nil })
            else { throw AccountsError.keysDamaged(path: folder.keysURL.appending(path: Self.fileName).path) }
            keys = file.keys
        } else {
            keys = [TokenKey(madeAt: time.date.millisecondsSince1970)]
            try Self.write(keys, to: folder)
        }
    }

    // MARK: Tokens

    func make(for person: UserID, on platform: PlatformID, session: String) async throws -> String {
        let now = seconds
        let claims = AccessClaims(
            userID: person.imUserID,
            platformID: platform.rawValue,
            exp: now + Int64(Self.lifetime),
            nbf: now,
            iat: now,
            sid: session
        )
        // There is always one: see `keep(_:)`.
        guard let key = keys.last, let collection = await collection(of: key) else {
            throw AccountsError.tokenKeyUnknown
        }
        return try await collection.sign(claims, kid: JWKIdentifier(string: key.kid))
    }

    /// Reads a token that somebody showed.
    func open(_ text: String) async throws(AccountsError) -> Content {
        guard !text.isEmpty else { throw .noToken }
        guard text.utf8.count <= Self.byteLimit else { throw .tokenMalformed }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[0]), let header = try? JSONValue(parsing: bytes)
        else { throw .tokenMalformed }
        guard header["alg"]?.stringValue == "HS256", header["crit"] == nil else { throw .tokenForged }
        let now = time.date.millisecondsSince1970
        guard let kid = header["kid"]?.stringValue, let key = liveKeys(at: now).first(where: { $0.kid == kid }),
            let collection = await collection(of: key)
        else { throw .tokenKeyUnknown }
        let claims: AccessClaims
        do {
            claims = try await collection.verify(text, as: AccessClaims.self)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw .tokenForged
        } catch {
            throw .tokenMalformed
        }
        return try content(claims)
    }

    private func content(_ claims: AccessClaims) throws(AccountsError) -> Content {
        let now = seconds
        guard claims.exp > now - Self.skew else { throw .tokenExpired }
        guard max(claims.nbf, claims.iat) <= now + Self.skew else { throw .tokenNotYetValid }
        guard let person = UserID(imUserID: claims.userID) else { throw .tokenMalformed }
        return Content(
            person: person,
            platform: PlatformID(rawValue: claims.platformID),
            session: claims.sid,
            expiresAt: claims.exp
        )
    }

    // MARK: Keys

    /// Replaces the key that signs once it is a day old, and forgets those whose last token is over.
    ///
    /// - Throws: What the disk says; nothing has changed then.
    func rotate() async throws {
        let now = time.date.millisecondsSince1970
        var next = liveKeys(at: now)
        // A clock that was set back makes a key seem to be of the future.
        if let newest = next.last, !(0..<Self.keyLifetime).contains(now - newest.madeAt) {
            next = Array(next.suffix(1)) + [TokenKey(madeAt: now)]
        }
        guard next != keys else { return }
        try await disk.finish { [folder, next] in try Self.write(next, to: folder) }
        keep(next)
    }

    private func keep(_ next: [TokenKey]) {
        keys = next
        collections = collections.filter { entry in next.contains { $0.kid == entry.key } }
    }

    /// The key that signs, and the one before while a token of it may live.
    private func liveKeys(at now: Int64) -> [TokenKey] {
        keys.enumerated().filter { index, _ in
            index == keys.count - 1 || now < keys[index + 1].madeAt + Self.afterlife
        }.map(\.element)
    }

    private func collection(of key: TokenKey) async -> JWTKeyCollection? {
        if let known = collections[key.kid] { return known }
        guard let secret = key.secretBytes else { return nil }
        let collection = JWTKeyCollection()
        await collection.add(
            hmac: HMACKey(from: secret),
            digestAlgorithm: .sha256,
            kid: JWKIdentifier(string: key.kid)
        )
        collections[key.kid] = collection
        return collection
    }

    private static func write(_ keys: [TokenKey], to folder: StateFolder) throws {
        try folder.writeKey(fileName, JSONValue(encoding: TokenKeyFile(keys: keys)).canonicalBytes)
    }

    private var seconds: Int64 { time.date.millisecondsSince1970 / 1000 }
}
