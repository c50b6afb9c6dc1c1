import Foundation
import Transport

/// The address of a page for phones, as a signaling server announces it, checked against the address of that server: a page elsewhere is another
/// one's, to which a hub could lead people.
struct PhonePageAddress: Hashable {
    private static let path = "/phone/"
    private static let schemes = ["https": "wss", "http": "ws"]

    let url: URL

    /// A signaling server's scheme and authority.
    struct Server {
        let scheme: String
        let authority: RequestAuthority

        /// Nil for what is no such address.
        init?(_ url: URL) {
            let parts = url.absoluteString.split(separator: "://", maxSplits: 1)
            guard parts.count == 2, let authority = RequestAuthority(String(parts[1].prefix { $0 != "/" })) else {
                return nil
            }
            scheme = parts[0].lowercased()
            self.authority = authority
        }
    }

    /// Nil for an address that is not at the server itself, and for one without encryption that is not on this machine.
    init?(_ announced: String, of server: URL) {
        guard announced.hasSuffix(Self.path), let url = URL(string: announced), let server = Server(server),
            let (scheme, signaling) = Self.schemes.first(where: { announced.hasPrefix("\($0.key)://") }),
            signaling == server.scheme
        else { return nil }
        let text = announced.dropFirst(scheme.count + 3).dropLast(Self.path.count)
        guard let authority = RequestAuthority(String(text)), authority.host == server.authority.host,
            Self.port(authority, scheme) == Self.port(server.authority, scheme),
            scheme == "https" || authority.isLoopback
        else { return nil }
        self.url = url
    }

    private static func port(_ authority: RequestAuthority, _ scheme: String) -> Int {
        authority.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension RequestAuthority {
    fileprivate var isLoopback: Bool { host == "localhost" || address?.isLoopback == true }
}
