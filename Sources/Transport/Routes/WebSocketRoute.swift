/// WebSockets that a feature serves on a server: made by the feature, handed to the server with its configuration.
public struct WebSocketRoute: Sendable {
    /// Serves one connection. When it returns, the connection is closed with 1000, when it throws with 1011; it has to return soon after it
    /// is cancelled, which is how a server that ends says so.
    public typealias Handler = @Sendable (any WebSocketPeer, RouteRequest) async throws -> Void

    /// The paths that are served here.
    public let path: RoutePath
    /// Where it is served.
    public let port: RoutePort
    /// The subprotocols that are spoken, the best first. A client that offers none of them is refused with 400; empty for no subprotocol.
    public let subprotocols: [String]
    /// Bounds, watermarks and the time in which a connection that shows no life ends.
    public private(set) var configuration: WebSocketConfiguration
    public private(set) var handler: Handler
    /// What the server calls: the first step of ``handler``, and what is left of it, nil for nothing.
    package private(set) var enter: Enter

    package typealias Enter = @Sendable (any WebSocketPeer, RouteRequest) async throws -> Rest?
    package typealias Rest = @Sendable () async throws -> Void

    /// The largest bound of a message that a route may have, in bytes.
    public static let largestMessageBytes = 64 * 1024 * 1024

    /// - Parameters:
    ///   - maximumMessageBytes: 1 to ``largestMessageBytes``. A longer message closes its socket with 1009.
    ///   - readAheadBytes: Bytes that wait for the handler before the socket is no longer read; a message may be longer.
    ///   - writeAheadBytes: Bytes that wait for the network before a sender waits.
    ///   - keepAlive: A connection that shows no life, or takes nothing, for twice as long is ended.
    /// - Throws: ``RouteError``.
    public init(
        _ path: String,
        on port: RoutePort = .shared,
        subprotocols: [String] = [],
        maximumMessageBytes: Int = 1024 * 1024,
        readAheadBytes: Int = 1024 * 1024,
        writeAheadBytes: Int = 320 * 1024,
        keepAlive: Duration = .seconds(30),
        handler: @escaping Handler
    ) throws(RouteError) {
        guard (1...Self.largestMessageBytes).contains(maximumMessageBytes) else {
            throw .boundOutOfRange(path: path, bytes: maximumMessageBytes, limit: Self.largestMessageBytes)
        }
        for name in subprotocols where !WebSocketHandshake.isToken(name) { throw .malformedSubprotocol(name) }
        self.path = try RoutePath(path)
        self.port = port
        self.subprotocols = subprotocols
        var configuration = WebSocketConfiguration()
        configuration.maximumMessageBytes = maximumMessageBytes
        configuration.bufferedBytes = readAheadBytes
        configuration.writeAheadBytes = writeAheadBytes
        configuration.keepAliveInterval = keepAlive
        self.configuration = configuration
        self.handler = handler
        enter = Self.atOnce(handler)
    }

    /// A route whose connections are let in first and served then. The request, whose header is the most of what an idle connection would keep
    /// of it, is let go of in between.
    ///
    /// - Parameters:
    ///   - entering: Looks at the request; what ``serving`` needs of it, or nil for a connection that is over.
    ///   - serving: Serves the connection, as ``Handler`` does.
    /// - Throws: ``RouteError``.
    public init<Entered: Sendable>(
        _ path: String,
        maximumMessageBytes: Int = 1024 * 1024,
        entering: @escaping @Sendable (any WebSocketPeer, RouteRequest) async throws -> Entered?,
        serving: @escaping @Sendable (any WebSocketPeer, Entered) async throws -> Void
    ) throws(RouteError) {
        try self.init(path, maximumMessageBytes: maximumMessageBytes) { peer, request in
            guard let entered = try await entering(peer, request) else { return }
            try await serving(peer, entered)
        }
        enter = { peer, request in
            // In a task of its own, with which its memory goes: letting a connection in takes several times what an idle one needs, and a
            // task keeps what it had.
            let task = Task { try await entering(peer, request) }
            let entered = try await withTaskCancellationHandler(
                operation: { try await task.value },
                onCancel: { task.cancel() }
            )
            guard let entered else { return nil }
            return { try await serving(peer, entered) }
        }
    }

    private static func atOnce(_ handler: @escaping Handler) -> Enter {
        { peer, request in
            try await handler(peer, request)
            return nil
        }
    }

    /// A copy of the route with another handler, for a server that looks at connections before the feature does.
    package func serving(_ handler: @escaping Handler) -> WebSocketRoute {
        var route = self
        route.handler = handler
        route.enter = Self.atOnce(handler)
        return route
    }

    /// A copy of the route that bounds the first message, the one of somebody who has yet to prove itself, by `bytes`.
    package func limitingFirstMessage(to bytes: Int) -> WebSocketRoute {
        var route = self
        route.configuration.firstMessageBytes = bytes
        return route
    }
}
