import HTTPTypes
import Transport

/// Which requests are looked at: those for this page by its own name, and those that no other page makes.
struct PageGuard: Sendable {
    enum Refusal: Hashable, Sendable {
        case unknownHost
        case otherPage

        var status: Int {
            switch self {
            case .unknownHost: 421
            case .otherPage: 403
            }
        }

        var phrase: String {
            switch self {
            case .unknownHost: "Misdirected Request"
            case .otherPage: "Forbidden"
            }
        }

        var sentence: String {
            switch self {
            case .unknownHost: "This page is at 127.0.0.1 and localhost only. Open it with the link of: tandem page\n"
            case .otherPage: "Other pages may not ask here. Open the page itself with the link of: tandem page\n"
            }
        }
    }

    /// What a request says of where it is from.
    struct Claims: Sendable {
        var host: String?
        var origin: String?
        /// `Sec-Fetch-Site`, `-Mode` and `-Dest`.
        var site: String?
        var mode: String?
        var destination: String?

        init(_ head: HTTPRequest) {
            host = head.authority
            origin = head.headerFields[.origin]
            site = Self.field("Sec-Fetch-Site", head)
            mode = Self.field("Sec-Fetch-Mode", head)
            destination = Self.field("Sec-Fetch-Dest", head)
        }

        init(_ request: WebSocketHandshake.Request) {
            host = request.host
            // One that comes twice is of nobody.
            origin = request.head.values("origin").count > 1 ? "null" : request.head["origin"]
            site = request.head["sec-fetch-site"]
        }

        private static func field(_ name: String, _ head: HTTPRequest) -> String? {
            HTTPField.Name(name).flatMap { head.headerFields[$0] }
        }
    }

    /// Whom a request is for.
    enum Purpose: Sendable {
        /// A page that may be opened by a link from anywhere: what it shows asks for itself.
        case document
        case reading
        /// Also a WebSocket.
        case acting
    }

    private let hosts: Set<String>

    init(address: String, port: Int) {
        var hosts: Set<String> = ["localhost"]
        hosts.insert(address.contains(":") ? "[\(address)]" : address)
        // A browser leaves the default port out.
        self.hosts = Set(hosts.map { "\($0):\(port)" }).union(port == 80 ? hosts : [])
    }

    func refusal(_ claims: Claims, for purpose: Purpose) -> Refusal? {
        guard let host = claims.host?.lowercased(), hosts.contains(host) else { return .unknownHost }
        if let origin = claims.origin {
            guard origin.lowercased() == "http://\(host)" else { return .otherPage }
        } else if case .acting = purpose {
            return .otherPage
        }
        switch claims.site {
        case nil, "same-origin", "none": return nil
        default:
            // Other ports of this machine are the same site to a browser, and their pages are none of ours.
            guard case .document = purpose, claims.mode == "navigate", claims.destination == "document" else {
                return .otherPage
            }
            return nil
        }
    }
}
