import Crypto
import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing
import WebClient

@testable import ACME

/// A hub's state folder, an authority, and what asks it.
struct Hub {
    let folder: StateFolder
    let store: CertificateStore
    let authority: ScriptedAuthority
    let responder = RecordingResponder()
    let time: any TimeSource

    init(_ script: ScriptedAuthority.Script = .init(), time: any TimeSource = ImmediateClock()) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-acme-\(UUID().uuidString)")
        folder = try StateFolder(url)
        store = CertificateStore(folder)
        self.time = time
        authority = try ScriptedAuthority(script, time: time)
    }

    func remove() { try? FileManager.default.removeItem(at: folder.url) }

    func configuration(
        _ names: [String] = ["a.example.org", "b.example.org"],
        contact: String? = nil,
        agrees: Bool = true,
        directory: String = ScriptedAuthority.directory
    ) throws -> ACMEConfiguration {
        try ACMEConfiguration(names: names, contact: contact, directory: directory, agreesToTerms: agrees)
    }

    func client(_ configuration: ACMEConfiguration) -> ACMEClient {
        ACMEClient(directory: configuration.directory, web: authority.client, agent: "tandem/test", time: time)
    }

    func checkAgreement(_ configuration: ACMEConfiguration) async throws {
        try await CertificateIssuer.checkAgreement(configuration, client: client(configuration), store: store)
    }

    func issuer(_ configuration: ACMEConfiguration) -> CertificateIssuer {
        CertificateIssuer(
            configuration,
            client: client(configuration),
            store: store,
            responder: responder,
            time: time,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func issue(_ configuration: ACMEConfiguration? = nil, by methods: [ChallengeMethod] = [.http, .tls]) async throws
        -> CertificateChain
    {
        try await issuer(configuration ?? self.configuration()).issue(by: methods)
    }
}

/// Makes a hub for one test, and removes it.
func withHub(
    _ script: ScriptedAuthority.Script = .init(),
    time: any TimeSource = ImmediateClock(),
    _ body: (Hub) async throws -> Void
) async throws {
    let hub = try Hub(script, time: time)
    defer { hub.remove() }
    try await body(hub)
}

@Suite("Getting a certificate", .timeLimit(.minutes(1)))
struct IssuerTests {
    private typealias Script = ScriptedAuthority.Script

    @Test(
        "a certificate is made by either proof, and kept with its key in one private file",
        arguments: ChallengeMethod.allCases
    )
    func made(method: ChallengeMethod) async throws {
        try await withHub { hub in
            let chain = try await hub.issue(by: [method])
            #expect(chain.names == ["a.example.org", "b.example.org"])
            let prepared =
                method == .http
                ? ["http token-0 token-0.", "http token-1 token-1."] : ["tls a.example.org", "tls b.example.org"]
            #expect(hub.responder.prepared == prepared)
            #expect(hub.responder.standing.isEmpty)
            #expect(try hub.store.certificate() == chain)
            for file in [hub.store.certificateURL, hub.store.accountURL] {
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            #expect(hub.authority.payload(of: "/account") == ["termsOfServiceAgreed": true])
            #expect(
                hub.authority.payload(of: "/order")
                    == [
                        "identifiers": [
                            ["type": "dns", "value": "a.example.org"], ["type": "dns", "value": "b.example.org"],
                        ]
                    ]
            )
        }
    }

    @Test("an account is made once, and told of another mail address")
    func account() async throws {
        try await withHub { hub in
            _ = try await hub.issue(hub.configuration(contact: "admin@example.org"))
            #expect(hub.authority.payload(of: "/account")?["contact"] == ["mailto:admin@example.org"])
            _ = try await hub.issue(hub.configuration(contact: "admin@example.org"))
            #expect(hub.authority.asked.filter { $0 == "/account" }.count == 1)
            _ = try await hub.issue(hub.configuration(contact: "other@example.org"))
            #expect(hub.authority.payload(of: "/account/1")?["contact"] == ["mailto:other@example.org"])
        }
    }

    @Test("nothing is begun without an agreement to the terms, whose address is told")
    func terms() async throws {
        let refusal = ACMEError.termsNotAgreed(authority: "authority.test", terms: "https://authority.test/terms")
        try await withHub { hub in
            let configuration = try hub.configuration(agrees: false)
            await #expect(throws: refusal) { try await hub.checkAgreement(configuration) }
            await #expect(throws: refusal) { try await hub.issue(configuration) }
            #expect(!hub.authority.asked.contains("/account"))
            #expect(refusal.description.contains("https://authority.test/terms"))
            #expect(refusal.description.contains("--acme-agree"))
            // Once agreed to, they stand.
            _ = try await hub.issue()
            try await hub.checkAgreement(configuration)
            _ = try await hub.issue(configuration)
        }
        var script = Script()
        script.terms = nil
        try await withHub(script) { hub in
            let configuration = try hub.configuration(agrees: false)
            try await hub.checkAgreement(configuration)
            _ = try await hub.issue(configuration)
            #expect(hub.authority.payload(of: "/account") == [:])
        }
    }

    @Test("a nonce that is refused is no failure, and one that always is ends after some tries")
    func nonces() async throws {
        var script = Script()
        script.refusals["/order"] = Array(repeating: (400, "badNonce", [:]), count: 5)
        try await withHub(script) { hub in
            _ = try await hub.issue()
            #expect(hub.authority.asked.filter { $0 == "/order" }.count == 6)
        }
        script.refusals["/order"] = Array(repeating: (400, "badNonce", [:]), count: 1000)
        try await withHub(script) { hub in
            let error = ACMEError.badAnswer(authority: "authority.test", what: "it refuses every nonce that it gives")
            await #expect(throws: error) { try await hub.issue() }
            #expect(hub.authority.asked.filter { $0 == "/order" }.count == 10)
        }
    }

    @Test("an authority that asks to wait is told with the time until which")
    func rateLimited() async throws {
        for (status, type) in [(429, "rateLimited"), (403, "rateLimited"), (503, "serverInternal")] {
            var script = Script()
            script.refusals["/order"] = [(status, type, ["Retry-After": "7200"])]
            try await withHub(script) { hub in
                let until = hub.time.date.addingTimeInterval(7200)
                let error = ACMEError.askedToWait(authority: "authority.test", until: until, detail: "because")
                await #expect(throws: error) { try await hub.issue() }
            }
        }
    }

    @Test("each other refusal of an authority has a word of its own")
    func refusals() async throws {
        let names = ["a.example.org", "b.example.org"]
        let cases: [(path: String, type: String, ACMEError)] = [
            ("/account", "externalAccountRequired", .externalAccountRequired(authority: "authority.test")),
            ("/account", "invalidContact", .refused(authority: "authority.test", .invalidContact, detail: "because")),
            ("/order", "userActionRequired", .actionRequired(authority: "authority.test", detail: "because")),
            ("/order", "rejectedIdentifier", .nameRefused(names: names, detail: "because")),
            (
                "/order", "caa",
                .notProved(name: "a.example.org, b.example.org", .http, .forbiddenByCAA, detail: "because")
            ),
            ("/finalize", "badCSR", .refused(authority: "authority.test", .other("badCSR"), detail: "because")),
            ("/order/1", "malformed", .refused(authority: "authority.test", .other("malformed"), detail: "because")),
        ]
        for (path, type, error) in cases {
            var script = Script()
            script.refusals[path] = [(400, type, [:])]
            try await withHub(script) { hub in
                let thrown = await #expect(throws: ACMEError.self) { try await hub.issue() }
                #expect(thrown == error)
                let kept = try hub.store.certificate()
                #expect(kept == nil)
                #expect(hub.responder.standing.isEmpty)
            }
        }
    }

    @Test("an account that was deactivated or revoked is said, and none is made in its place")
    func closed() async throws {
        try await withHub { hub in
            _ = try await hub.issue()
            hub.authority.change { $0.refusals["/order"] = [(403, "unauthorized", [:])] }
            let error = ACMEError.accountClosed(authority: "authority.test", file: hub.store.accountURL.path)
            await #expect(throws: error) { try await hub.issue() }
            #expect(error.description.contains(hub.store.accountURL.path))
            #expect(hub.authority.asked.filter { $0 == "/account" }.count == 1)
        }
        var script = Script()
        script.statusOfAccount = "deactivated"
        try await withHub(script) { hub in
            await #expect(throws: ACMEError.accountClosed(authority: "authority.test", file: hub.store.accountURL.path))
            {
                try await hub.issue()
            }
        }
    }

    @Test("an account that the authority lost is made again with its key")
    func lost() async throws {
        try await withHub { hub in
            _ = try await hub.issue()
            let key = try hub.store.account()?.key.pem
            hub.authority.forgetAccounts()
            _ = try await hub.issue(hub.configuration(agrees: false))
            #expect(try hub.store.account()?.key.pem == key)
            #expect(hub.authority.asked.filter { $0 == "/account" }.count == 2)
        }
    }

    @Test("another authority gets another account, and makes another certificate")
    func otherAuthority() async throws {
        try await withHub { hub in
            let kept = KeptAccount(directory: try WebURL("https://other.test/directory"), key: AccountKey())
            try hub.store.keep(kept)
            _ = try await hub.issue()
            #expect(try hub.store.account()?.key.pem != kept.key.pem)
            #expect(try hub.store.account()?.directory.text == ScriptedAuthority.directory)
            var tries = try hub.store.tries(for: hub.configuration())
            tries.succeeded()
            try hub.store.keep(tries)
            #expect(try hub.store.tries(for: hub.configuration()).hasCertificate)
            let other = try hub.configuration(directory: "https://other.test/directory")
            #expect(try !hub.store.tries(for: other).hasCertificate)
        }
    }

    @Test("a proof that the authority does not accept is told, and nothing stays open")
    func rejected() async throws {
        var script = Script()
        script.failure = ("connection", "192.0.2.1: Connection refused")
        script.looks = 3
        try await withHub(script) { hub in
            let error = ACMEError.notProved(
                name: "a.example.org",
                .http,
                .notReached,
                detail: "192.0.2.1: Connection refused"
            )
            await #expect(throws: error) { try await hub.issue() }
            #expect(error.description.hasPrefix("The authority could not reach port 80 of a.example.org."))
            #expect(hub.responder.standing.isEmpty)
        }
    }

    @Test("a hub that cannot answer does not tell the authority to look")
    func unanswerable() async throws {
        try await withHub { hub in
            hub.responder.fail("no port")
            await #expect(throws: ACMEError.cannotAnswer(reason: "no port")) { try await hub.issue() }
            #expect(!hub.authority.asked.contains { $0.hasPrefix("/challenge") })
        }
    }

    @Test("a certificate for another key, without a name, or of another time is not kept")
    func wrong() async throws {
        func script(_ change: (inout Script) -> Void) -> Script {
            var script = Script()
            change(&script)
            return script
        }
        let cases: [(Script, ACMEError)] = [
            (
                script { $0.isForAnotherKey = true },
                .wrongCertificate(authority: "authority.test", reason: "it is for another key")
            ),
            (
                script { $0.names = ["a.example.org"] },
                .wrongCertificate(authority: "authority.test", reason: "a name is missing in it")
            ),
            (
                script { $0.bodies["/certificate"] = "nonsense" },
                .wrongCertificate(authority: "authority.test", reason: "it is no chain of certificates in PEM")
            ),
        ]
        for (script, error) in cases {
            try await withHub(script) { hub in
                await #expect(throws: error) { try await hub.issue() }
                let kept = try hub.store.certificate()
                #expect(kept == nil)
            }
        }
        for from: TimeInterval in [3600, -91 * 86_400] {
            try await withHub(script { $0.from = from }) { hub in
                let start = Date(timeIntervalSince1970: (hub.time.date.timeIntervalSince1970 + from).rounded(.down))
                let error = ACMEError.wrongClock(
                    now: hub.time.date,
                    from: start,
                    to: start.addingTimeInterval(90 * 86_400)
                )
                await #expect(throws: error) { try await hub.issue() }
                #expect(error.description.contains("this machine's clock says"))
            }
        }
    }

    @Test("what is no ACME is said, and whatever it is, nothing is believed")
    func nonsense() async throws {
        for (path, body) in [
            ("/directory", "<html>"), ("/directory", "{}"), ("/directory", #"{"newNonce":"http://a.test/"}"#),
            ("/order", "{}"),
            ("/order", "[]"), ("/authorization/0", "{}"), ("/authorization/0", #"{"status":"valid"}"#),
            ("/order/1", "null"),
            ("/account", "{}"),
        ] {
            var script = Script()
            script.bodies[path] = body
            try await withHub(script) { hub in
                let error = await #expect(throws: ACMEError.self) { try await hub.issue() }
                guard case .badAnswer("authority.test", _)? = error else {
                    Issue.record("\(path) \(body): \(String(describing: error))")
                    return
                }
            }
        }
    }

    @Test("an account's file that is damaged is said")
    func damaged() async throws {
        try await withHub { hub in
            try hub.folder.writeKey("acme-account.json", Array("{}".utf8))
            await #expect(throws: ACMEError.damaged(path: hub.store.accountURL.path)) { try await hub.issue() }
            // A certificate's is made anew.
            try hub.folder.writeKey("acme-certificate.pem", Array("nonsense".utf8))
            #expect(try hub.store.certificate() == nil)
        }
    }

    @Test("every error has a sentence, which ends")
    func sentences() throws {
        let all: [ACMEError] = [
            .badName("a", .malformed), .badName("a", .address), .badName("a", .wildcard), .badName("a", .local),
            .badName("a", .notASCII), .tooManyNames(limit: 20), .badContact("a"), .badDirectory("a"),
            .termsNotAgreed(authority: "a.test", terms: "https://a.test/t"),
            .actionRequired(authority: "a", detail: "b."),
            .externalAccountRequired(authority: "a"), .notAsked(.unknownHost("a.test")),
            .wrongClock(now: Date(), from: Date(), to: Date()), .accountClosed(authority: "a", file: "/f"),
            .askedToWait(authority: "a", until: Date(), detail: "b."),
            .notProved(name: "a", .http, .noAddress, detail: ""),
            .notProved(name: "a", .tls, .otherAnswer, detail: ""), .notProved(name: "a", .tls, .other, detail: ""),
            .noMethod(name: "a", offered: []), .nameRefused(names: ["a"], detail: "b."),
            .refused(authority: "a", .malformed, detail: "b."), .badAnswer(authority: "a", what: "b"),
            .wrongCertificate(authority: "a", reason: "b"), .tooSlow(authority: "a", after: .seconds(900)),
            .cannotListen(address: "a", port: 80, reason: "b"), .damaged(path: "/f"), .cannotAnswer(reason: "b"),
        ]
        for error in all {
            #expect(error.description.hasSuffix("."), "\(error)")
            #expect(!error.description.contains("Optional"))
        }
        #expect(ACMEError.notAsked(.unknownHost("a.test")).facts.isAbsence)
    }
}

extension ACMEError.Refusal {
    fileprivate static var malformed: ACMEError.Refusal { .other("malformed") }
}
