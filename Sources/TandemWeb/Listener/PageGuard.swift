import HTTPTypes
import Transport

/// The guard of requests: it lets in those for this page by its own name, and those that no other page makes.
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
            case .unknownHost: "This page is at 127.0.0.1 only. Open it with the link of: tandem page\n"
            case .otherPage: "Other pages may not ask here. Open the page itself with the link of: tandem page\n"
            }
        }
    }

    /// A request's claims about its origin.
    struct Claims: Sendable {
        var host: String?
        var origin: String?
        /// `Sec-Fetch-Site`, `-Mode` and `-Dest`.
        var site: String?
        var mode: String?
        var destination: String?

        init(_ head: HTTPRequest) {
            // A second one stays among the fields; which of two would count is not guessed.
            host = Self.field("Host", head) == nil ? head.authority : nil
            origin = head.headerFields[.origin]
            site = Self.field("Sec-Fetch-Site", head)
            mode = Self.field("Sec-Fetch-Mode", head)
            destination = Self.field("Sec-Fetch-Dest", head)
        }

        init(_ request: WebSocketHandshake.Request) {
            host = request.head.values("host").count > 1 ? nil : request.host
            origin = request.origin
            site = request.head["sec-fetch-site"]
        }

        private static func field(_ name: String, _ head: HTTPRequest) -> String? {
            HTTPField.Name(name).flatMap { head.headerFields[$0] }
        }
    }

    /// The purpose of a request.
    enum Purpose: Sendable {
        /// A page that may be opened by a link from anywhere: what it shows asks for itself.
        case document
        case reading
        /// Also a WebSocket.
        case acting
    }

    private let hosts: Set<String>
    private let names: Set<String>
    /// Where the page is, as its links say it.
    let url: String

    init(address: String, port: Int) {
        let host = address.contains(":") ? "[\(address)]" : address
        // A browser leaves the default port out.
        hosts = Set(["\(host):\(port)"] + (port == 80 ? [host] : []))
        names = Set(["localhost:\(port)"] + (port == 80 ? ["localhost"] : []))
        url = "http://\(host):\(port)"
    }

    /// Whether the page is asked for as `localhost`. That name has two addresses, and at the one that is not listened on another account may
    /// hold the same port: its page would be of the same origin. So that name leads to the address, and nothing is served by it.
    func isByName(_ claims: Claims) -> Bool {
        claims.host.map { names.contains($0.lowercased()) } ?? false
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
