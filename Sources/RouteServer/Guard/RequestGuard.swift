import Kernel
import Transport

/// The guard of a server's requests: those for a host that is this server are answered, and those of foreign web pages are not.
package struct RequestGuard: Sendable {
    /// The programs that ask a server.
    package enum Audience: Sendable {
        /// Programs of any kind: some name no host (HTTP/1.0), most name no origin.
        case programs
        /// Browsers alone: each request names its host, each write its origin, and a browser's word on who asks is heard.
        case browsers
    }

    /// The purpose of a request.
    package enum Purpose: Sendable {
        /// A page that may be opened by a link from anywhere: what it shows asks for itself.
        case document
        case reading
        /// Also a WebSocket.
        case acting
    }

    /// Why a request is refused.
    package enum Refusal: Hashable, Sendable {
        /// With the host that was named, shortened, and without what a terminal or a page would act on.
        case unknownHost(String)
        case foreignOrigin

        package var status: Int {
            switch self {
            case .unknownHost: 421
            case .foreignOrigin: 403
            }
        }

        package var phrase: String {
            switch self {
            case .unknownHost: "Misdirected Request"
            case .foreignOrigin: "Forbidden"
            }
        }
    }

    private let hosts: any HostPolicy
    private let audience: Audience
    private let ownSchemes: Set<String>
    private let allowedOrigins: Set<String>
    /// The body of a refusal: one line for the person, with its end.
    package let sentence: @Sendable (Refusal) -> String

    /// - Parameters:
    ///   - ownSchemes: Schemes with which an origin of the server's own host counts as its own, in lower case.
    ///   - allowedOrigins: Origins of other pages that may ask, as browsers write them, in lower case. Compared as texts, since some of them
    ///     are of no web server: `capacitor://localhost`.
    package init(
        _ hosts: any HostPolicy,
        for audience: Audience,
        ownSchemes: Set<String>,
        allowedOrigins: Set<String> = [],
        sentence: @escaping @Sendable (Refusal) -> String
    ) {
        self.hosts = hosts
        self.audience = audience
        self.ownSchemes = ownSchemes
        self.allowedOrigins = allowedOrigins
        self.sentence = sentence
    }

    /// Why a request is not answered; nil when it is.
    ///
    /// - Parameter purpose: Counts where browsers alone ask.
    package func refusal(
        _ claims: RequestClaims,
        for purpose: Purpose = .acting,
        on connection: RequestConnection
    ) -> Refusal? {
        let host: RequestAuthority?
        switch claims.host {
        case .missing:
            guard case .programs = audience else { return .unknownHost("no name") }
            host = nil
        case .one(let text):
            guard let named = RequestAuthority(text), hosts.knows(named, on: connection) else {
                return .unknownHost(Self.printable(text))
            }
            host = named
        case .several: return .unknownHost("several names at once")
        }
        let isAnswered = mayAsk(claims.origin, of: host, for: purpose) && maySite(claims, for: purpose)
        return isAnswered ? nil : .foreignOrigin
    }

    /// The answer to a WebSocket's handshake.
    ///
    /// - Parameter fields: Further lines of its head, each with its end.
    package func response(_ refusal: Refusal, fields: String = "") -> String {
        WebSocketHandshake.response(
            refusal.status,
            refusal.phrase,
            extra: fields,
            sentence: sentence(refusal)
        )
    }

    private func mayAsk(_ origin: RequestClaims.Field, of host: RequestAuthority?, for purpose: Purpose) -> Bool {
        switch origin {
        case .missing:
            if case .browsers = audience, case .acting = purpose { return false }
            return true
        case .one(let text):
            if allowedOrigins.contains(text.lowercased()) { return true }
            guard let host, let page = WebOrigin(text) else { return false }
            return ownSchemes.contains(page.scheme) && page.isOf(host)
        case .several: return false
        }
    }

    /// Whether a browser may ask for the site that it says it asks for.
    private func maySite(_ claims: RequestClaims, for purpose: Purpose) -> Bool {
        guard case .browsers = audience else { return true }
        switch claims.site {
        case nil, "same-origin", "none": return true
        default:
            // Other ports of this machine are the same site to a browser, and their pages are none of ours.
            guard case .document = purpose else { return false }
            return claims.mode == "navigate" && claims.destination == "document"
        }
    }

    /// Enough to recognise it by, and nothing that a terminal or a page would act on.
    private static func printable(_ host: String) -> String {
        String(
            decoding: host.utf8.prefix(100).map { $0.isLetterOrDigit(or: ".:-[]") ? $0 : UInt8(ascii: "?") },
            as: UTF8.self
        )
    }
}
