import Testing
import WebClient

@testable import ACME

@Suite("The way of a certificate")
struct IssuanceTests {
    private let order: WebURL
    private let names: [CertificateName]

    init() throws {
        order = try WebURL("https://a.test/order")
        names = [try CertificateName("a.example.org"), try CertificateName("b.example.org")]
    }

    private func url(_ path: String) throws -> WebURL { try WebURL("https://a.test/\(path)") }

    private func order(_ status: String, _ more: String = "", authorizations: [String] = ["z1", "z2"]) throws
        -> ACMEOrder
    {
        let list = authorizations.map { "\"https://a.test/\($0)\"" }.joined(separator: ",")
        return try ACMEOrder(
            Array(
                #"{"status":"\#(status)","finalize":"https://a.test/finalize","authorizations":[\#(list)]\#(more)}"#
                    .utf8
            ),
            of: "a.test"
        )
    }

    private func authorization(
        _ name: String,
        _ status: String,
        kinds: [String] = ["dns-01", "http-01", "tls-alpn-01"],
        challenge: String = "pending",
        error: String? = nil
    ) throws -> ACMEAuthorization {
        let challenges = kinds.map { kind in
            let problem =
                error.map { #","error":{"type":"urn:ietf:params:acme:error:\#($0)","detail":"because"}"# } ?? ""
            return
                #"{"type":"\#(kind)","url":"https://a.test/\#(kind)","status":"\#(challenge)","token":"t-\#(kind)"\#(problem)}"#
        }
        return try ACMEAuthorization(
            Array(
                #"{"status":"\#(status)","identifier":{"type":"dns","value":"\#(name)"},"challenges":[\#(challenges.joined(separator: ","))]}"#
                    .utf8
            ),
            of: "a.test"
        )
    }

    private func issuance(_ methods: [ChallengeMethod] = [.http, .tls]) -> Issuance {
        Issuance(names, methods: methods, authority: "a.test")
    }

    private func proving(_ methods: [ChallengeMethod] = [.http, .tls]) throws -> Issuance {
        var issuance = issuance(methods)
        try issuance.ordered(order("pending"), at: order)
        try issuance.read(authorization("a.example.org", "pending"), retryAfter: nil)
        guard case .prove(let proof) = issuance.step else {
            Issue.record("no proof: \(issuance.step)")
            return issuance
        }
        issuance.proved(proof)
        return issuance
    }

    @Test("each name is proved in turn, then the certificate is asked for, waited for and downloaded")
    func whole() throws {
        var issuance = issuance()
        #expect(issuance.step == .order)
        try issuance.ordered(order("pending"), at: order)
        #expect(issuance.step == .readAuthorization(try url("z1"), after: .zero))
        try issuance.read(authorization("a.example.org", "pending"), retryAfter: nil)
        let proof = Issuance.Proof(
            name: names[0],
            method: .http,
            token: try #require(ChallengeToken("t-http-01")),
            challenge: try url("http-01"),
            authorization: try url("z1")
        )
        #expect(issuance.step == .prove(proof))
        issuance.proved(proof)
        #expect(issuance.step == .readAuthorization(try url("z1"), after: .milliseconds(250)))
        try issuance.read(authorization("a.example.org", "pending", challenge: "processing"), retryAfter: nil)
        #expect(issuance.step == .readAuthorization(try url("z1"), after: .milliseconds(500)))
        try issuance.read(authorization("a.example.org", "pending"), retryAfter: .seconds(7))
        #expect(issuance.step == .readAuthorization(try url("z1"), after: .seconds(7)))
        try issuance.read(authorization("a.example.org", "valid"), retryAfter: nil)
        // Another order proved it already.
        #expect(issuance.step == .readAuthorization(try url("z2"), after: .zero))
        try issuance.read(authorization("b.example.org", "valid"), retryAfter: nil)
        #expect(issuance.step == .readOrder(order, after: .zero))
        try issuance.read(try order("ready"), retryAfter: nil)
        #expect(issuance.step == .finalize(try url("finalize")))
        issuance.finalized()
        try issuance.read(try order("processing"), retryAfter: nil)
        #expect(issuance.step == .readOrder(order, after: .milliseconds(250)))
        try issuance.read(try order("valid", #","certificate":"https://a.test/certificate""#), retryAfter: nil)
        #expect(issuance.step == .download(try url("certificate")))
    }

    @Test("an order that stood is gone on with")
    func reused() throws {
        var issuance = issuance()
        try issuance.ordered(try order("ready"), at: order)
        #expect(issuance.step == .finalize(try url("finalize")))
    }

    @Test("the preferred method that the authority offers is taken")
    func methods() throws {
        for (open, offered, taken) in [
            ([ChallengeMethod.http, .tls], ["tls-alpn-01", "http-01"], ChallengeMethod.http),
            ([.tls, .http], ["http-01", "tls-alpn-01"], .tls), ([.http, .tls], ["tls-alpn-01"], .tls),
        ] {
            var issuance = issuance(open)
            try issuance.ordered(try order("pending"), at: order)
            try issuance.read(authorization("a.example.org", "pending", kinds: offered), retryAfter: nil)
            guard case .prove(let proof) = issuance.step else {
                Issue.record("no proof")
                continue
            }
            #expect(proof.method == taken)
        }
        var issuance = issuance([.http])
        try issuance.ordered(try order("pending"), at: order)
        #expect(throws: ACMEError.noMethod(name: "a.example.org", offered: ["dns-01"])) {
            try issuance.read(authorization("a.example.org", "pending", kinds: ["dns-01"]), retryAfter: nil)
        }
    }

    @Test(
        "a proof that failed says whose side it was",
        arguments: [
            ("connection", ACMEError.Failure.notReached), ("dns", .noAddress), ("unauthorized", .otherAnswer),
            ("incorrectResponse", .otherAnswer), ("tls", .otherAnswer), ("caa", .forbiddenByCAA),
            ("serverInternal", .other),
        ]
    )
    func failed(kind: String, failure: ACMEError.Failure) throws {
        for method in ChallengeMethod.allCases {
            var issuance = try proving([method])
            let expected = ACMEError.notProved(name: "a.example.org", method, failure, detail: "because")
            #expect(throws: expected) {
                try issuance.read(
                    authorization("a.example.org", "invalid", challenge: "invalid", error: kind),
                    retryAfter: nil
                )
            }
            #expect(expected.description.contains("a.example.org"))
            #expect(expected.description.contains("because"))
        }
    }

    @Test("an authorization for a name that nobody asked for, or of an unknown status, ends it")
    func strange() throws {
        for (name, status) in [("evil.test", "pending"), ("a.example.org", "deactivated"), ("a.example.org", "odd")] {
            var issuance = issuance()
            try issuance.ordered(try order("pending"), at: order)
            #expect(throws: ACMEError.self) { try issuance.read(authorization(name, status), retryAfter: nil) }
        }
    }

    @Test("an authority that never ends is left after a quarter of an hour")
    func patience() throws {
        var issuance = try proving()
        #expect(throws: ACMEError.tooSlow(authority: "a.test", after: .seconds(900))) {
            for _ in 0..<1000 {
                try issuance.read(authorization("a.example.org", "pending", challenge: "processing"), retryAfter: .zero)
            }
        }
        var long = try proving()
        try long.read(authorization("a.example.org", "pending"), retryAfter: .seconds(100_000))
        #expect(long.step == .readAuthorization(try url("z1"), after: .seconds(60)))
    }

    @Test("an order that became invalid says why")
    func invalid() throws {
        var issuance = issuance()
        #expect(throws: ACMEError.nameRefused(names: ["a.example.org", "b.example.org"], detail: "no")) {
            try issuance.ordered(
                try order(
                    "invalid",
                    #","error":{"type":"urn:ietf:params:acme:error:rejectedIdentifier","detail":"no"}"#
                ),
                at: order
            )
        }
    }
}
