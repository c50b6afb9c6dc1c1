/// The routes of features on one port: the first that fits a request answers it.
package struct RouteTable: Sendable {
    package enum HTTPMatch: Sendable {
        case route(HTTPRoute, parameters: [String: String])
        /// The path is served, by these methods.
        case otherMethods([String])
        case none
    }

    private var webSockets: [WebSocketRoute] = []
    private var http: [HTTPRoute] = []

    package init() {}

    /// Whether no feature serves anything here.
    package var isEmpty: Bool { webSockets.isEmpty && http.isEmpty }

    /// - Parameter target: Path and query, as in the request line.
    package func webSocket(_ target: String) -> (route: WebSocketRoute, parameters: [String: String])? {
        guard !webSockets.isEmpty else { return nil }
        let path = target.prefix { $0 != "?" }
        for route in webSockets {
            if let parameters = route.path.parameters(of: path) { return (route, parameters) }
        }
        return nil
    }

    /// - Parameter path: Without the query.
    package func http(_ method: String, _ path: Substring) -> HTTPMatch {
        var others: [String] = []
        for route in http {
            guard let parameters = route.path.parameters(of: path) else { continue }
            if route.method.rawValue == method { return .route(route, parameters: parameters) }
            if !others.contains(route.method.rawValue) { others.append(route.method.rawValue) }
        }
        return others.isEmpty ? .none : .otherMethods(others)
    }

    /// Sorts routes by their ports.
    ///
    /// - Parameter reserved: Paths of the shared port that the server answers itself.
    /// - Throws: ``RouteError/taken(path:)``, ``RouteError/unclearPort(name:)``.
    package static func tables(
        webSockets: [WebSocketRoute],
        http: [HTTPRoute],
        reserved: [String]
    ) throws(RouteError) -> [RoutePort: RouteTable] {
        var tables: [RoutePort: RouteTable] = [.shared: RouteTable()]
        var numbers: [String: Int] = [:]
        func check(_ port: RoutePort) throws(RouteError) {
            guard case .own(let name, let number) = port else { return }
            guard (0...65535).contains(number), numbers[name, default: number] == number else {
                throw .unclearPort(name: name)
            }
            numbers[name] = number
        }
        for route in webSockets {
            try check(route.port)
            // The relay is dialled by the address alone, without a path.
            let isTaken = route.port == .shared && route.path.description == "/"
            let others = tables[route.port]?.webSockets ?? []
            guard !isTaken, !others.contains(where: { $0.path.isSame(as: route.path) }) else {
                throw .taken(path: route.path.description)
            }
            tables[route.port, default: RouteTable()].webSockets.append(route)
        }
        for route in http {
            try check(route.port)
            let isReserved = reserved.contains { route.path.parameters(of: $0[...]) != nil }
            let others = tables[route.port]?.http ?? []
            guard !(route.port == .shared && isReserved),
                !others.contains(where: { $0.method == route.method && $0.path.isSame(as: route.path) })
            else { throw .taken(path: route.path.description) }
            tables[route.port, default: RouteTable()].http.append(route)
        }
        return tables
    }
}
