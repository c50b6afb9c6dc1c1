import NIOCore
import Transport

/// Which requests and upgrades are answered: those for a host that is this server, and not those of foreign web pages.
struct RequestGuard: Sendable {
    /// Why a request is refused.
    enum Refusal: Hashable, Sendable {
        case unknownHost(String)
        case foreignOrigin

        var status: Int {
            switch self {
            case .unknownHost: 421
            case .foreignOrigin: 403
            }
        }

        var phrase: String {
            switch self {
            case .unknownHost: "Misdirected Request"
            case .foreignOrigin: "Forbidden"
            }
        }

        var sentence: String {
            switch self {
            case .unknownHost(let host):
                "This server is not known as \(host). Use its address and port, or name it with --server-name.\n"
            case .foreignOrigin:
                "Pages of other sites may not connect here. Allow the site with --allow-origin.\n"
            }
        }
    }

    let names: ServerNames
    /// Origins of web pages that may connect, as browsers write them: `https://app.example.org`.
    let allowedOrigins: Set<String>

    /// - Parameters:
    ///   - host: The authority of the request; nil where HTTP/1.0 sent none.
    ///   - origin: The page that the browser says it is. Programs send none.
    func refusal(
        host: String?,
        origin: String?,
        local: SocketAddress?,
        isProxied: Bool,
        now: UInt64
    ) -> Refusal? {
        let parsed = host.flatMap { RequestAuthority($0) }
        if let host {
            guard let parsed,
                names.contains(
                    parsed,
                    local: NetworkAddress(local),
                    port: local?.port,
                    isProxied: isProxied,
                    now: now
                )
            else { return .unknownHost(Self.printable(host)) }
        }
        guard let origin else { return nil }
        return isOwn(origin, parsed) || allowedOrigins.contains(origin.lowercased()) ? nil : .foreignOrigin
    }

    /// Whether the page came from the authority that the request is for.
    private func isOwn(_ origin: String, _ host: RequestAuthority?) -> Bool {
        guard let host, let scheme = ["http://": 80, "https://": 443].first(where: { origin.hasPrefix($0.key) }),
            let page = RequestAuthority(String(origin.dropFirst(scheme.key.count)))
        else { return false }
        // A browser leaves a default port out of both.
        return page.host == host.host && (page.port ?? scheme.value) == (host.port ?? scheme.value)
    }

    /// Enough to recognise it by, and nothing that a terminal or a page would act on.
    private static func printable(_ host: String) -> String {
        String(
            decoding: host.utf8.prefix(100).map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    byte
                default: UInt8(ascii: "?")
                }
            },
            as: UTF8.self
        )
    }
}
