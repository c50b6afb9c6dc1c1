import Foundation
import Kernel
public import WebClient

/// What certificate a hub wants, and of whom.
public struct ACMEConfiguration: Hashable, Sendable {
    public static let letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory"

    /// The certificate's names, sorted; at least one.
    public let names: [CertificateName]
    /// Where the authority tells its addresses.
    public let directory: WebURL
    /// A mail address at which the authority tells of trouble; nil gives none.
    public let contact: String?
    /// Whether the person agrees to the authority's terms of service.
    public let agreesToTerms: Bool

    /// - Parameter directory: Nil for Let's Encrypt's.
    /// - Throws: ``ACMEError``.
    public init(
        names: [String],
        contact: String? = nil,
        directory: String? = nil,
        agreesToTerms: Bool = false
    ) throws(ACMEError) {
        var checked: Set<CertificateName> = []
        // An authority of one's own network certifies the names of that network.
        for name in names { checked.insert(try CertificateName(name, allowsLocal: directory != nil)) }
        guard checked.count <= CertificateName.most else { throw .tooManyNames(limit: CertificateName.most) }
        self.names = checked.sorted()
        self.directory = try ACMEAddress.check(directory ?? Self.letsEncrypt) { shown in .badDirectory(shown) }
        if let contact {
            guard contact.utf8.count <= 254,
                contact.wholeMatch(of: /[A-Za-z0-9._+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z0-9\-]+/) != nil
            else { throw .badContact(TerminalText.line(String(contact.prefix(80)))) }
        }
        self.contact = contact
        self.agreesToTerms = agreesToTerms
    }

    /// The authority's host, for sentences.
    var authority: String { directory.host }
}

/// The addresses of an authority, which must be asked over TLS (RFC 8555 section 6.1).
enum ACMEAddress {
    static func check(_ text: String, or error: (String) -> ACMEError) throws(ACMEError) -> WebURL {
        guard let url = try? WebURL(text), url.isSecure else { throw error(TerminalText.line(String(text.prefix(80)))) }
        return url
    }
}
