import Accounts
import Crypto
import Foundation
import Kernel
import KernelTesting
import Principals
import Sealing
import Storage
import Testing

@testable import AccountsHub

@Suite("Access tokens", .timeLimit(.minutes(1)))
struct AccessTokenTests {
    private let rig: AccountsRig
    private let session: AccountSession

    init() async throws {
        rig = try AccountsRig()
        session = try await rig.register("ada")
    }

    private var now: Int64 { rig.clock.date.millisecondsSince1970 / 1000 }

    private func claims(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        let claims: [String: JSONValue] = [
            "UserID": "tb_1", "PlatformID": 2, "exp": .integer(now + 900), "nbf": .integer(now), "iat": .integer(now),
            "sid": .string(session.device),
        ]
        return .object(claims.merging(changes) { _, new in new })
    }

    /// A token by hand, signed where a key is given.
    private func token(_ header: JSONValue, _ claims: JSONValue, key: [UInt8]?) -> String {
        let text = "\(Base64URL.encode(header.canonicalBytes)).\(Base64URL.encode(claims.canonicalBytes))"
        let signature = key.map { key in
            HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))
        }
        return text + "." + (signature.map { Base64URL.encode(Array($0)) } ?? "")
    }

    private func key() throws -> (kid: String, secret: [UInt8]) {
        let key = try #require(try rig.tokenKeys().last)
        return (key.kid, try #require(key.secretBytes))
    }

    @Test("a token has OpenIM's claims and the header of its key, and says who asks")
    func content() async throws {
        let parts = session.accessToken.split(separator: ".")
        let header = try JSONValue(parsing: try #require(Base64URL.decode(parts[0])))
        #expect(header == ["alg": "HS256", "typ": "JWT", "kid": .string(try key().kid)])
        #expect(try JSONValue(parsing: try #require(Base64URL.decode(parts[1]))) == claims())
        let asker = try await rig.asker(session)
        #expect(asker.person.imUserID == "tb_1" && asker.platform == .android && asker.session == session.device)
        #expect(asker.principal.id == "account:tb_1/\(session.device)")
    }

    @Test("a token that the hub's key signed by hand opens, so that the refusals below are for their own reasons")
    func byHand() async throws {
        let (kid, secret) = try key()
        let header: JSONValue = ["alg": "HS256", "typ": "JWT", "kid": .string(kid)]
        #expect(await rig.refusal(of: token(header, claims(), key: secret)) == nil)
    }

    @Test("forged headers open nothing: no algorithm, another one, another key's name, none, critical extensions")
    func headers() async throws {
        let (kid, secret) = try key()
        let wrong: [(header: JSONValue, key: [UInt8]?, error: AccountsError)] = [
            (["alg": "none", "kid": .string(kid)], nil, .tokenForged),
            (["alg": "None", "kid": .string(kid)], secret, .tokenForged),
            (["alg": "HS512", "kid": .string(kid)], secret, .tokenForged),
            (["alg": "RS256", "kid": .string(kid)], secret, .tokenForged),
            (["kid": .string(kid)], secret, .tokenForged),
            (["alg": "HS256", "kid": .string(kid), "crit": ["b64"], "b64": false], secret, .tokenForged),
            (["alg": "HS256", "kid": "0000000000000000"], secret, .tokenKeyUnknown),
            (["alg": "HS256", "kid": "../../etc/passwd"], secret, .tokenKeyUnknown),
            (["alg": "HS256", "kid": 7], secret, .tokenKeyUnknown), (["alg": "HS256"], secret, .tokenKeyUnknown),
            (["alg": "HS256", "kid": .string(kid)], RandomBytes.make(32), .tokenForged),
            (["alg": "HS256", "kid": .string(kid)], [], .tokenForged),
            (["alg": "HS256", "kid": .string(kid)], nil, .tokenForged),
        ]
        for (header, key, error) in wrong { #expect(await rig.refusal(of: token(header, claims(), key: key)) == error) }
    }

    @Test("a token opens from a minute before its time until a minute after its end")
    func times() async throws {
        let (kid, secret) = try key()
        let header: JSONValue = ["alg": "HS256", "kid": .string(kid)]
        func refusal(_ changes: [String: JSONValue]) async -> AccountsError? {
            await rig.refusal(of: token(header, claims(changes), key: secret))
        }
        #expect(await refusal(["exp": .integer(now - 59)]) == nil)
        #expect(await refusal(["exp": .integer(now - 60)]) == .tokenExpired)
        #expect(await refusal(["nbf": .integer(now + 60)]) == nil)
        #expect(await refusal(["nbf": .integer(now + 61)]) == .tokenNotYetValid)
        #expect(await refusal(["iat": .integer(now + 61)]) == .tokenNotYetValid)
        #expect(await refusal(["exp": .integer(.min), "nbf": .integer(.min)]) == .tokenExpired)
        #expect(await refusal(["exp": "soon"]) == .tokenMalformed)
        #expect(await refusal(["exp": .null]) == .tokenMalformed)
    }

    @Test("a token with another person's claims opens nothing, also where the hub's own key signed it")
    func claimsOfOthers() async throws {
        let bob = try await rig.register("bob")
        let (kid, secret) = try key()
        let header: JSONValue = ["alg": "HS256", "kid": .string(kid)]
        // Bob's number over Ada's session.
        #expect(await rig.refusal(of: token(header, claims(["UserID": "tb_2"]), key: secret)) == .sessionOver)
        #expect(await rig.refusal(of: token(header, claims(["sid": "nothing"]), key: secret)) == .sessionOver)
        #expect(await rig.refusal(of: token(header, claims(["UserID": "2"]), key: secret)) == .tokenMalformed)
        // Bob's claims under Ada's signature.
        let (ada, other) = (session.accessToken.split(separator: "."), bob.accessToken.split(separator: "."))
        #expect(await rig.refusal(of: "\(ada[0]).\(other[1]).\(ada[2])") == .tokenForged)
    }

    @Test("texts that are no token are refused at once, however long")
    func malformed() async throws {
        let whole = session.accessToken
        for text in [
            "x", "..", "a.b.c", String(whole.dropLast(20)).replacing(".", with: ""), whole + ".x",
            String(repeating: "a", count: 1 << 20), "\(whole).\(String(repeating: "a", count: 1 << 20))", "{}.{}.{}",
        ] {
            #expect(await rig.refusal(of: text) == .tokenMalformed)
        }
        #expect(await rig.refusal(of: String(whole.dropLast(1))) == .tokenForged)
        #expect(await rig.refusal(of: "") == .noToken)
        let reply = try await rig.post(.me)
        #expect(reply.status == 401 && reply.code == .tokenNotExisting)
    }

    @Test(
        "each way to be refused has its code of OpenIM",
        arguments: [
            (AccountsError.tokenExpired, 1501), (.tokenForged, 1502), (.tokenMalformed, 1503),
            (.tokenNotYetValid, 1504),
            (.tokenKeyUnknown, 1505), (.sessionOver, 1506), (.noToken, 1507),
        ]
    )
    func codes(error: AccountsError, code: Int) {
        #expect(error.imCode.rawValue == code)
        #expect(error.imCode.status == 401)
    }

    @Test("the key is replaced each day; tokens of the one before open until their end, and not a moment longer")
    func rotation() async throws {
        let (kid, secret) = try key()
        rig.clock.advance(by: .seconds(86_399))
        try await rig.accounts.sweep()
        #expect(try rig.tokenKeys().map(\.kid) == [kid])
        let last: AccountSession = try await rig.post(.refresh, RefreshRequest(refreshToken: session.refreshToken))
            .value()
        rig.clock.advance(by: .seconds(1))
        try await rig.accounts.sweep()
        let keys = try rig.tokenKeys()
        #expect(keys.count == 2 && keys.first?.kid == kid)
        #expect(await rig.refusal(of: last.accessToken) == nil)
        let next: AccountSession = try await rig.login("ada").value()
        #expect(next.accessToken.split(separator: ".")[0] != last.accessToken.split(separator: ".")[0])
        let header: JSONValue = ["alg": "HS256", "kid": .string(kid)]
        rig.clock.advance(by: .seconds(959))
        #expect(await rig.refusal(of: token(header, claims(), key: secret)) == nil)
        rig.clock.advance(by: .seconds(1))
        #expect(await rig.refusal(of: token(header, claims(), key: secret)) == .tokenKeyUnknown)
        try await rig.accounts.sweep()
        #expect(try rig.tokenKeys().count == 1)
    }

    @Test("tokens open after a restart, and the file of their keys is its owner's only")
    func restart() async throws {
        let next = try rig.restarted()
        #expect(await next.refusal(of: session.accessToken) == nil)
        let folder = try rig.stores.storage(of: "accounts", own: AccountTables.migrations).folder()
        let file = StateFolder(at: folder).keysURL.appending(path: "access-tokens")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try Data("{}".utf8).write(to: file)
        #expect(throws: AccountsError.keysDamaged(path: file.path)) { try rig.restarted() }
    }

    @Test("OpenIM's parse_token says whose a token is, as long as its session lasts")
    func parse() async throws {
        let request = ParseTokenRequest(token: session.accessToken)
        let parsed: ParsedToken = try await rig.post(.parseToken, request).value()
        #expect(parsed == ParsedToken(userID: "tb_1", platformID: .android, expireTimeSeconds: now + 900))
        #expect(try await rig.post(.logout, token: session.accessToken).status == 200)
        #expect(try await rig.post(.parseToken, request).code == .tokenKicked)
    }
}
