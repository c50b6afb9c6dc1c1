import RouteServer

extension RequestGuard {
    /// The guard of a page: it lets in requests for the page by its own address, and those that no other page makes.
    static func page(at place: OneAddress) -> RequestGuard {
        RequestGuard(place, for: .browsers, ownSchemes: ["http"]) { refusal in
            switch refusal {
            case .unknownHost: "This page is at 127.0.0.1 only. Open it with the link of: tandem page\n"
            case .foreignOrigin:
                "Other pages may not ask here. Open the page itself with the link of: tandem page\n"
            }
        }
    }
}
