import ACME
import Kernel
import Transport
import WebClient

extension FuzzTarget {
    /// A client's first message of TLS: what comes in pieces is read once it is whole, and as the same message.
    static let clientHello = FuzzTarget(name: "client-hello") { bytes in
        guard case .hello(let hello) = ClientHello.parse(bytes) else { return }
        // The shortest part that is one already has everything in it.
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 64)) {
            switch ClientHello.parse(bytes.prefix(count)) {
            case .incomplete: continue
            case .hello(let part) where part == hello: return
            case .hello, .malformed: finding("a part of a message is another one")
            }
        }
    }

    /// What a certificate's authority answers: only addresses of https, only tokens that are one part of a path.
    static let acmeAnswers = FuzzTarget(name: "acme-answers") { bytes in
        _ = try? ACMEDirectory(bytes, of: "authority.test")
        if let order = try? ACMEOrder(bytes, of: "authority.test") {
            let addresses = order.authorizations + [order.finalize] + (order.certificate.map { [$0] } ?? [])
            if !addresses.allSatisfy(\.isSecure) { finding("an address without TLS") }
            if order.authorizations.count > CertificateName.most { finding("more authorizations than names") }
            if let detail = order.problem?.detail, !TerminalText.isSafe(detail) {
                finding("a detail that acts on a terminal")
            }
        }
        if let authorization = try? ACMEAuthorization(bytes, of: "authority.test") {
            for challenge in authorization.challenges {
                if !challenge.url.isSecure { finding("a challenge without TLS") }
                if challenge.token?.text.utf8.contains(UInt8(ascii: "/")) ?? false { finding("a token of two parts") }
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let chain = CertificateChain(text), CertificateChain(chain.pem) != chain { finding("a chain that changes") }
        if let name = try? CertificateName(text), (try? CertificateName(name.text)) != name {
            finding("a name that changes")
        }
    }
}
