import Crypto
import Foundation
import Kernel
import SwiftASN1
import Synchronization
import Testing
import WebClient
import WebClientTesting
import X509

@testable import ACME

/// An authority in the test's own process, by RFC 8555: it checks each signature and each nonce, and refuses what a test says.
final class ScriptedAuthority: Sendable {
    struct Script: Sendable {
        var terms: String? = "https://authority.test/terms"
        var requiresExternalAccount = false
        /// Refusals by path, each given once, in order.
        var refusals: [String: [(status: Int, type: String, fields: WebFields)]] = [:]
        /// How a proof of each name ends: nil is well.
        var failure: (type: String, detail: String)?
        /// Answers in place of the right one, by path.
        var bodies: [String: String] = [:]
        var statusOfAccount = "valid"
        /// The certificate's first moment, from the authority's clock.
        var from: TimeInterval = -3600
        var life: TimeInterval = 90 * 86_400
        var names: [String]?
        var isForAnotherKey = false
        var kinds = ["http-01", "dns-01", "tls-alpn-01"]
        /// Looks at an authorization before it is decided.
        var looks = 1
    }

    private struct State {
        var script: Script
        var nonces: Set<String> = []
        var count = 0
        var accounts: [String: P256.Signing.PublicKey] = [:]
        var names: [String] = []
        var proved: Set<Int> = []
        var looks: [Int: Int] = [:]
        var request: P256.Signing.PublicKey?
        var asked: [String] = []
        var payloads: [String: JSONValue] = [:]
    }

    static let directory = "https://authority.test/directory"
    let issuer: TestAuthority
    let time: any TimeSource
    private let state: Mutex<State>

    init(_ script: Script = Script(), time: any TimeSource) throws {
        state = Mutex(State(script: script))
        issuer = try TestAuthority()
        self.time = time
    }

    var client: ScriptedWebClient { ScriptedWebClient { [self] request in try answer(request) } }
    /// The paths that were asked for, in order.
    var asked: [String] { state.withLock { $0.asked } }
    /// The last payload of each path.
    func payload(of path: String) -> JSONValue? { state.withLock { $0.payloads[path] } }
    func change(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }
    func forgetAccounts() { state.withLock { $0.accounts = [:] } }

    private func answer(_ request: WebRequest) throws -> CollectedAnswer {
        try state.withLock { state in
            let path = request.url.text.replacing("https://authority.test", with: "")
            state.asked.append(path)
            #expect(request.fields["User-Agent"] == "tandem/test")
            if path == "/directory" { return directory(state.script) }
            if path == "/nonce" { return reply(&state, 200, nil) }
            return try signed(request, path, &state)
        }
    }

    private func directory(_ script: Script) -> CollectedAnswer {
        if let body = script.bodies["/directory"] { return CollectedAnswer(status: 200, body: Array(body.utf8)) }
        var meta: [String: JSONValue] = ["externalAccountRequired": .bool(script.requiresExternalAccount)]
        if let terms = script.terms { meta["termsOfService"] = .string(terms) }
        let value: JSONValue = [
            "newNonce": "https://authority.test/nonce", "newAccount": "https://authority.test/account",
            "newOrder": "https://authority.test/order", "meta": .object(meta),
        ]
        return CollectedAnswer(status: 200, body: Array(value.canonicalBytes))
    }

    private func reply(
        _ state: inout State,
        _ status: Int,
        _ value: JSONValue?,
        location: String? = nil,
        fields: WebFields = WebFields()
    ) -> CollectedAnswer {
        state.count += 1
        let nonce = "nonce-\(state.count)"
        state.nonces.insert(nonce)
        var fields = fields
        fields.add("Replay-Nonce", nonce)
        if let location { fields.add("Location", "https://authority.test\(location)") }
        return CollectedAnswer(status: status, fields: fields, body: value.map { Array($0.canonicalBytes) } ?? [])
    }

    private func refuse(_ state: inout State, _ status: Int, _ type: String, _ fields: WebFields = WebFields())
        -> CollectedAnswer
    {
        let problem: JSONValue = ["type": .string("urn:ietf:params:acme:error:\(type)"), "detail": "because"]
        return reply(&state, status, problem, fields: fields)
    }

    private func signed(_ request: WebRequest, _ path: String, _ state: inout State) throws -> CollectedAnswer {
        #expect(request.method == .post)
        #expect(request.fields["Content-Type"] == "application/jose+json")
        guard case .bytes(let bytes) = request.body else { throw WebClientError.closed }
        let whole = try JSONValue(parsing: bytes)
        let protected = try #require(whole["protected"]?.stringValue)
        let payload = try #require(whole["payload"]?.stringValue)
        let head = try JSONValue(parsing: try #require(Base64URL.decode(protected)))
        #expect(head["url"]?.stringValue == request.url.text)
        #expect(head["alg"] == "ES256")
        guard state.nonces.remove(head["nonce"]?.stringValue ?? "") != nil else {
            return refuse(&state, 400, "badNonce")
        }
        if var refusals = state.script.refusals[path], let first = refusals.first {
            refusals.removeFirst()
            state.script.refusals[path] = refusals
            return refuse(&state, first.status, first.type, first.fields)
        }
        let key: P256.Signing.PublicKey
        if let account = head["kid"]?.stringValue {
            guard let known = state.accounts[account] else { return refuse(&state, 400, "accountDoesNotExist") }
            key = known
        } else {
            let x = try #require(Base64URL.decode(head["jwk"]?["x"]?.stringValue ?? ""))
            let y = try #require(Base64URL.decode(head["jwk"]?["y"]?.stringValue ?? ""))
            key = try P256.Signing.PublicKey(rawRepresentation: x + y)
        }
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64URL.decode(whole["signature"]?.stringValue ?? ""))
        )
        #expect(key.isValidSignature(signature, for: Data("\(protected).\(payload)".utf8)))
        let value = try payload.isEmpty ? nil : JSONValue(parsing: try #require(Base64URL.decode(payload)))
        state.payloads[path] = value
        if let body = state.script.bodies[path] {
            var answer = reply(&state, 200, nil, location: path)
            answer = CollectedAnswer(status: 200, fields: answer.fields, body: Array(body.utf8))
            return answer
        }
        return try made(path, value, key, &state)
    }

    private func made(
        _ path: String,
        _ payload: JSONValue?,
        _ key: P256.Signing.PublicKey,
        _ state: inout State
    ) throws -> CollectedAnswer {
        switch path {
        case "/account":
            let known = state.accounts.first { $0.value.rawRepresentation == key.rawRepresentation }
            let address = known?.key ?? "https://authority.test/account/\(state.accounts.count + 1)"
            state.accounts[address] = key
            return reply(
                &state,
                known == nil ? 201 : 200,
                ["status": .string(state.script.statusOfAccount)],
                location: address.replacing("https://authority.test", with: "")
            )
        case _ where path.hasPrefix("/account/"):
            return reply(&state, 200, ["status": .string(state.script.statusOfAccount)])
        case "/order":
            state.names = payload?["identifiers"]?.arrayValue?.compactMap { $0["value"]?.stringValue } ?? []
            state.proved = []
            state.looks = [:]
            state.request = nil
            return reply(&state, 201, order(state), location: "/order/1")
        case "/order/1": return reply(&state, 200, order(state))
        case "/finalize":
            let request = try CertificateSigningRequest(
                derEncoded: try #require(Base64URL.decode(payload?["csr"]?.stringValue ?? ""))
            )
            state.request = P256.Signing.PublicKey(request.publicKey)
            return reply(&state, 200, order(state), location: "/order/1")
        case "/certificate":
            let key = state.script.isForAnotherKey ? P256.Signing.PrivateKey().publicKey : try #require(state.request)
            let chain = try issuer.chain(
                for: key,
                names: state.script.names ?? state.names,
                from: time.date.addingTimeInterval(state.script.from),
                life: state.script.life
            )
            let answer = reply(&state, 200, nil)
            return CollectedAnswer(status: 200, fields: answer.fields, body: Array(chain.utf8))
        default:
            let parts = path.split(separator: "/")
            guard parts.count >= 2, let number = Int(parts[1]), state.names.indices.contains(number) else {
                return refuse(&state, 404, "malformed")
            }
            if parts[0] == "challenge" {
                state.proved.insert(number)
                return reply(&state, 200, ["status": "processing"])
            }
            return reply(&state, 200, authorization(number, &state))
        }
    }

    private func order(_ state: State) -> JSONValue {
        let isProved = state.proved.count == state.names.count
        var value: JSONValue = [
            "status": .string(state.request != nil ? "valid" : isProved ? "ready" : "pending"),
            "finalize": "https://authority.test/finalize",
            "authorizations": .array(state.names.indices.map { .string("https://authority.test/authorization/\($0)") }),
        ]
        if state.request != nil { value = value.adding("certificate", "https://authority.test/certificate") }
        return value
    }

    private func authorization(_ number: Int, _ state: inout State) -> JSONValue {
        let isTold = state.proved.contains(number)
        let looks = isTold ? state.looks[number, default: 0] + 1 : 0
        state.looks[number] = looks
        let isDecided = isTold && looks >= state.script.looks
        let status = !isDecided ? "pending" : state.script.failure == nil ? "valid" : "invalid"
        let challenges = state.script.kinds.map { kind -> JSONValue in
            var challenge: JSONValue = [
                "type": .string(kind), "url": .string("https://authority.test/challenge/\(number)/\(kind)"),
                "status": .string(status), "token": .string("token-\(number)"),
            ]
            if isDecided, let failure = state.script.failure {
                challenge = challenge.adding(
                    "error",
                    [
                        "type": .string("urn:ietf:params:acme:error:\(failure.type)"),
                        "detail": .string(failure.detail),
                    ]
                )
            }
            return challenge
        }
        return [
            "status": .string(status), "identifier": ["type": "dns", "value": .string(state.names[number])],
            "challenges": .array(challenges),
        ]
    }
}

/// Remembers what it was to answer.
final class RecordingResponder: ChallengeResponder {
    private let state = Mutex<(prepared: [String], standing: Set<String>, failure: String?)>(([], [], nil))

    var prepared: [String] { state.withLock { $0.prepared } }
    var standing: Set<String> { state.withLock { $0.standing } }

    func fail(_ reason: String) { state.withLock { $0.failure = reason } }

    func prepare(_ answer: ChallengeAnswer) async throws {
        try state.withLock { state in
            if let reason = state.failure { throw Unanswerable(description: reason) }
            state.prepared.append(Self.name(answer))
            state.standing.insert(Self.name(answer))
        }
    }

    func withdraw(_ answer: ChallengeAnswer) async { state.withLock { _ = $0.standing.remove(Self.name(answer)) } }

    private static func name(_ answer: ChallengeAnswer) -> String {
        switch answer {
        case .http(let token, let authorization): "http \(token.text) \(authorization.prefix(8))"
        case .tls(let proof): "tls \(proof.name)"
        }
    }

    struct Unanswerable: Error, CustomStringConvertible { let description: String }
}
