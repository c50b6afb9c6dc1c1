/// A feature's routes at a listener of its role, beside control methods: streams and binary bodies. The listener keeps the rules for hosts,
/// origins and sign-in before it is asked; paths at the page begin with `/api/`.
public struct RouteSet: Sendable {
    /// Requests and their answers.
    public let http: [HTTPRoute]
    /// Sockets, of which each has a handler of its own.
    public let webSockets: [WebSocketRoute]

    public init(http: [HTTPRoute] = [], webSockets: [WebSocketRoute] = []) {
        self.http = http
        self.webSockets = webSockets
    }

    /// The routes of several, in their order.
    package init(joining sets: [RouteSet]) {
        self.init(http: sets.flatMap(\.http), webSockets: sets.flatMap(\.webSockets))
    }
}
