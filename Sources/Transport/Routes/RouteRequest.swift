/// A request for a feature's route, with the rules for `Host`, `Origin` and limits kept already.
public struct RouteRequest: Sendable {
    /// `GET` for a WebSocket.
    public let method: String
    /// The path as in the request line, without the query.
    public let path: String
    /// The values of the route path's parameters, with their escapes resolved.
    public let parameters: [String: String]
    /// The authority that was asked for, as the client wrote it; empty where it sent none.
    public let host: String
    /// The client's address in numbers, behind a trusted reverse proxy what that says; nil where there is none.
    public let clientAddress: String?
    /// Where the server signs its clients in: who asks, by a name that means something to the server alone; nil elsewhere.
    package var session: String?
    /// Waits until what was written of the answer has left this program, but for some 32 KiB, and tells whether the client's connection is open
    /// then. A writer alone does not know either: where the connection's loop is late, it takes an answer of any length at once. So what is given
    /// once asks before the end.
    package var hasLeft: @Sendable () async -> Bool = { true }
    private let fields: [(name: String, value: String)]
    private let queryText: Substring

    /// - Parameters:
    ///   - target: Path and query, as in the request line.
    ///   - fields: The header's fields, in the order they came.
    public init(
        method: String,
        target: String,
        parameters: [String: String] = [:],
        host: String,
        clientAddress: String?,
        fields: [(name: String, value: String)] = []
    ) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = parts.first.map(String.init) ?? ""
        queryText = parts.count > 1 ? parts[1] : ""
        self.parameters = parameters
        self.host = host
        self.clientAddress = clientAddress
        self.fields = fields
    }

    /// The first value of a header's field, named in any case; nil where there is none.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// The first value of a parameter of the query, with its escapes resolved; nil where there is none, or it is no UTF-8.
    public func query(_ name: String) -> String? {
        for pair in queryText.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = sides.first, PercentCoding.decode(key, plusIsSpace: true) == name else { continue }
            return PercentCoding.decode(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
        }
        return nil
    }
}
