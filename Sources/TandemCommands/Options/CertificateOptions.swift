import ACME
import ArgumentParser
import Foundation
import Kernel
import SignalingServer
import Transport

/// A hub's certificate from an authority, by ACME.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Get the hub's certificate for this name, which leads here, from Let's Encrypt, and renew it; may be repeated. In place of "
                + "--tls-cert. Default: off.",
            valueName: "name"
        )
    )
    var acme: [String] = []

    @Flag(
        help:
            "You agree to the terms of service of the certificate's authority. Without it they are named, and nothing begins."
    )
    var acmeAgree = false

    @Option(
        help: ArgumentHelp(
            "Where the authority may write to about the certificate. Default: nowhere.",
            valueName: "mail"
        )
    )
    var acmeContact: String?

    @Option(
        help: ArgumentHelp(
            "Another authority than Let's Encrypt: where its ACME directory is (RFC 8555).",
            valueName: "url"
        )
    )
    var acmeDirectory: String?

    @Option(
        help: ArgumentHelp(
            "Certificates that the authority is believed by, beside the system's, PEM.",
            valueName: "file"
        ),
        completion: .file(extensions: ["pem", "crt"])
    )
    var acmeCa: String?

    @Option(
        help: ArgumentHelp(
            "Where the authority's questions to port 80 of the name arrive; other requests there are sent on to https. 0: nowhere, because "
                + "port 443 is enough. Default: 80.",
            valueName: "port"
        )
    )
    var acmeHttpPort: Int?

    @Flag(help: "Port 443 of the name leads to the hub's own port, whatever its number here.")
    var acmeTlsAlpn = false

    /// The values from the settings.
    struct Values {
        var configuration: ACMEConfiguration
        /// Certificates that the authority is believed by, PEM.
        var trusted: [UInt8]?
        /// The hub's address, at which the port for HTTP is opened too.
        var address: String
        /// Nil: none is opened.
        var httpPort: Int?
        /// Whether questions to port 443 of the names arrive at the hub's port.
        var answersTLS: Bool
    }

    /// - Parameter server: The hub's: its certificate becomes the one that is to come.
    /// - Returns: Nil where no certificate is to be got.
    /// - Throws: `ACMEError`, ``CertificateOptionsError``.
    func values(
        _ settings: Settings,
        for server: inout SignalingServerConfiguration,
        in folder: StateFolder
    ) throws -> Values? {
        let names = settings.texts(acme, "acme")
        let agrees = settings.flag(acmeAgree, "acmeAgree")
        let contact = settings.text(acmeContact, "acmeContact")
        let directory = settings.text(acmeDirectory, "acmeDirectory")
        let trusted = settings.text(acmeCa, "acmeCa").map { Live.path(typed: $0) }
        let port = settings.integer(acmeHttpPort, "acmeHttpPort", default: 80)
        let answersTLS = settings.flag(acmeTlsAlpn, "acmeTlsAlpn") || server.port == 443
        guard !names.isEmpty else { return nil }
        guard server.tls == nil else { throw CertificateOptionsError.twoCertificates }
        guard (0...65535).contains(port) else { throw CertificateOptionsError.badPort(port) }
        guard port != 0 || answersTLS else { throw CertificateOptionsError.noWay(port: server.port) }
        let configuration = try ACMEConfiguration(
            names: names,
            contact: contact,
            directory: directory,
            agreesToTerms: agrees
        )
        let file = CertificateStore(folder).certificateURL
        server.tls = TLSFiles(certificate: file, key: file)
        server.awaitedCertificateNames = configuration.names.map(\.text)
        return Values(
            configuration: configuration,
            trusted: try trusted.map { try Self.read($0) },
            address: server.address,
            httpPort: port == 0 ? nil : port,
            answersTLS: answersTLS
        )
    }

    private static func read(_ file: URL) throws(CommandError) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }  // opened for reading: nothing can be lost
            return Array(try handle.read(upToCount: 1 << 20) ?? Data())
        } catch {
            throw .cannotRead(path: file.path, reason: Reason.of(error))
        }
    }
}

/// Settings of a certificate that exclude each other. The description is shown to the person.
enum CertificateOptionsError: Error, Hashable, CustomStringConvertible {
    case twoCertificates
    case badPort(Int)
    case noWay(port: Int)

    var description: String {
        switch self {
        case .twoCertificates:
            "Both a certificate from an authority and one of your own are set. Leave out --acme, or --tls-cert and --tls-key."
        case .badPort(let port): "acmeHttpPort must be a port from 1 to 65535, or 0 for none, not \(port)."
        case .noWay(let port):
            "The authority has no way to ask: acmeHttpPort is 0, and the hub listens on port \(port). Open a port for HTTP with "
                + "--acme-http-port, listen on 443, or say with --acme-tls-alpn that port 443 of the name leads here."
        }
    }
}
