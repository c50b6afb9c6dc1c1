import NetworkWebClient
import Testing
import WebClient
import WebClientTesting

@Suite(.timeLimit(.minutes(1)))
struct CertificateTests {
    private static let fine: [RawServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]

    @Test("A server with a certificate of its own is believed by who named its file")
    func named() async throws {
        let certificate = try TestCertificate(names: ["localhost"])
        try await RawServer.run(Self.fine, certificate: certificate) { server in
            try await withClient(NetworkWebClientConfiguration(certificates: certificate.pem)) { client in
                let request = WebRequest(.get, try server.url(scheme: "https", host: "localhost"))
                #expect(try await client.collect(request).status == 200)
            }
        }
    }

    @Test("A certificate is refused for what it lacks: trust, its time, its name")
    func refused() async throws {
        let own = try TestCertificate(names: ["localhost"])
        let cases: [(TestCertificate, isNamed: Bool, WebClientError.CertificateFault)] = [
            (own, false, .notTrusted),
            (try TestCertificate(names: ["localhost"], to: "210101000000Z"), true, .expired),
            (try TestCertificate(names: ["localhost"], from: "480101000000Z"), true, .notYetValid),
            (try TestCertificate(names: ["other.test"]), true, .otherName),
        ]
        for (certificate, isNamed, fault) in cases {
            try await RawServer.run(Self.fine, certificate: certificate) { server in
                let trusted = isNamed ? certificate.pem : nil
                try await withClient(NetworkWebClientConfiguration(certificates: trusted)) { client in
                    let url = try server.url(scheme: "https", host: "localhost")
                    let error = await failure(of: WebRequest(.get, url), at: client)
                    #expect(error == .untrusted(origin: url.origin, fault))
                    #expect(server.requests.isEmpty)
                }
            }
        }
    }

    @Test("A server without TLS is told from one with a bad certificate")
    func plain() async throws {
        try await RawServer.run([.close], greeting: "220 mail.example ESMTP\r\n") { server in
            try await withClient { client in
                let url = try server.url(scheme: "https", host: "localhost")
                #expect(await failure(of: WebRequest(.get, url), at: client) == .noTLS(origin: url.origin))
            }
        }
    }

    @Test("A file without a certificate is told before anything is asked", arguments: ["", "no certificate"])
    func unreadable(text: String) {
        #expect(throws: WebClientError.self) {
            try NetworkWebClient(NetworkWebClientConfiguration(certificates: Array(text.utf8)))
        }
    }
}
