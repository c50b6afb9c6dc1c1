import ACME
import ArgumentParser
import Foundation
import Kernel
import SignalingServer
import Testing
import Transport

@testable import TandemCommands

@Suite("A hub's certificate from an authority", .timeLimit(.minutes(1)))
struct CertificateOptionsTests {
    /// What a hub's settings give, with its server's.
    private func values(
        _ arguments: [String],
        environment: [String: String] = [:],
        change: (inout SignalingServerConfiguration) -> Void = { _ in }
    ) throws -> (values: CertificateOptions.Values?, server: SignalingServerConfiguration) {
        let folder = StateFolder(at: URL(fileURLWithPath: "/nowhere/tandem-\(UUID().uuidString)"))
        let settings = try Settings(folder: folder, environment: environment)
        var server = SignalingServerConfiguration()
        change(&server)
        let values = try CertificateOptions.parse(arguments).values(settings, for: &server, in: folder)
        try settings.refuseMistakes()
        return (values, server)
    }

    @Test("it is off by default, and the server is as it was")
    func off() throws {
        let (values, server) = try values([])
        #expect(values?.configuration == nil)
        #expect(server.tls == nil)
        #expect(server.awaitedCertificateNames == nil)
    }

    @Test("names, the agreement and the port come from the command line or from the environment")
    func settings() throws {
        let typed = try values(["--acme", "Hub.example.org", "--acme-agree", "--acme-http-port", "8080"])
        let environment = try values(
            [],
            environment: [
                "TANDEM_ACME": "Hub.example.org", "TANDEM_ACME_AGREE": "yes", "TANDEM_ACME_HTTP_PORT": "8080",
            ]
        )
        for (values, server) in [typed, environment] {
            let values = try #require(values)
            #expect(values.configuration.names.map(\.text) == ["hub.example.org"])
            #expect(values.configuration.agreesToTerms)
            #expect(values.httpPort == 8080)
            #expect(!values.answersTLS)
            #expect(server.awaitedCertificateNames == ["hub.example.org"])
            #expect(server.tls?.certificate == server.tls?.key)
            #expect(server.tls?.certificate.lastPathComponent == "acme-certificate.pem")
        }
    }

    @Test("a hub that listens on 443 answers there without a word, and another where it is told")
    func port443() throws {
        let on443 = try values(["--acme", "hub.example.org", "--acme-http-port", "0"]) { $0.port = 443 }
        #expect(on443.values?.answersTLS == true)
        #expect(on443.values?.httpPort == nil)
        let forwarded = try values(["--acme", "hub.example.org", "--acme-tls-alpn"])
        #expect(forwarded.values?.answersTLS == true)
        #expect(forwarded.values?.httpPort == 80)
    }

    @Test("the page for phones is served by the certificate that is to come, and not without one")
    func phonePage() throws {
        let folder = StateFolder(at: URL(fileURLWithPath: "/nowhere/tandem-\(UUID().uuidString)"))
        let arguments: [(typed: [String], page: String?)] = [
            (["--acme", "hub.example.org"], "https://hub.example.org/phone/"), ([], nil),
        ]
        for (typed, page) in arguments {
            let (server, certificate) = try ServerOptions.parse(["--listen", "127.0.0.1:443"]).hubConfiguration(
                Settings(folder: folder, environment: [:]),
                certificates: .parse(typed),
                in: folder
            )
            #expect((certificate == nil) == (page == nil))
            #expect(server.phonePage("hub.example.org") == page)
        }
    }

    @Test("what excludes each other is refused")
    func refused() throws {
        let name = ["--acme", "hub.example.org"]
        #expect(throws: CertificateOptionsError.noWay(port: 9001)) { try values(name + ["--acme-http-port", "0"]) }
        #expect(throws: CertificateOptionsError.badPort(70_000)) { try values(name + ["--acme-http-port", "70000"]) }
        let file = URL(fileURLWithPath: "/c.pem")
        #expect(throws: CertificateOptionsError.twoCertificates) {
            try values(name) { $0.tls = TLSFiles(certificate: file, key: file) }
        }
        #expect(throws: ACMEError.badName("192.0.2.1", .address)) { try values(["--acme", "192.0.2.1"]) }
    }
}
