package import HTTPTypes
package import Transport

/// A request's claims about the server that it is meant for and the page that it comes from.
package struct RequestClaims: Sendable {
    /// A field of a request's head that may come once.
    package enum Field: Hashable, Sendable {
        case missing
        case one(String)
        /// Which of them would count is not guessed.
        case several

        fileprivate init(_ values: [String]) {
            self = values.count > 1 ? .several : values.first.map(Self.one) ?? .missing
        }
    }

    package let host: Field
    /// Browsers name the page that asks. Programs send none.
    package let origin: Field
    /// `Sec-Fetch-Site`, `-Mode` and `-Dest`. Source: W3C Fetch Metadata Request Headers.
    package let site: String?
    package let mode: String?
    package let destination: String?

    package init(
        host: Field,
        origin: Field = .missing,
        site: String? = nil,
        mode: String? = nil,
        destination: String? = nil
    ) {
        self.host = host
        self.origin = origin
        self.site = site
        self.mode = mode
        self.destination = destination
    }

    package init(_ head: HTTPRequest) {
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
        self.init(
            // The first is taken out of the fields, a second one stays among them.
            host: field("Host") != nil ? .several : head.authority.map(Field.one) ?? .missing,
            origin: Field(head.headerFields[values: .origin]),
            site: field("Sec-Fetch-Site"),
            mode: field("Sec-Fetch-Mode"),
            destination: field("Sec-Fetch-Dest")
        )
    }

    /// A handshake has exactly one host, or it is none.
    package init(_ request: WebSocketHandshake.Request) {
        self.init(
            host: .one(request.host),
            origin: Field(request.head.values("origin")),
            site: request.head["sec-fetch-site"]
        )
    }
}
