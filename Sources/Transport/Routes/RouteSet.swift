/// A feature's routes for the page of its device, beside control methods: streams and binary bodies. The page's listener keeps the rules
/// for hosts, origins and sign-in before it is asked; paths begin with `/api/`.
public struct RouteSet: Sendable {
    /// Requests and their answers.
    public let http: [HTTPRoute]
    /// Sockets, of which each has a handler of its own.
    public let webSockets: [WebSocketRoute]

    public init(http: [HTTPRoute] = [], webSockets: [WebSocketRoute] = []) {
        self.http = http
        self.webSockets = webSockets
    }
}
