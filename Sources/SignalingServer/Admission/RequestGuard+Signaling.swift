import RouteServer

extension RequestGuard {
    /// The guard of a signaling server.
    ///
    /// - Parameter allowedOrigins: Origins of web pages that may connect, as browsers write them: `https://app.example.org`.
    static func signaling(_ names: ServerNames, allowedOrigins: [String]) -> RequestGuard {
        RequestGuard(
            names,
            for: .programs,
            ownSchemes: ["http", "https"],
            allowedOrigins: Set(allowedOrigins.map { $0.lowercased() })
        ) { refusal in
            switch refusal {
            case .unknownHost(let host):
                "This server is not known as \(host). Use its address and port, or name it with --server-name.\n"
            case .foreignOrigin:
                "Pages of other sites may not connect here. Allow the site with --allow-origin.\n"
            }
        }
    }
}
