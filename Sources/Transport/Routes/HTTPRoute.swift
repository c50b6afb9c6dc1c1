/// HTTP requests that a feature answers on a server: made by the feature, handed to the server with its configuration.
public struct HTTPRoute: Sendable {
    /// The methods of RFC 9110 that a feature may serve.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    /// Answers one request. What it throws becomes 500 and is logged, but for ``RouteError/bodyTooLarge(limit:)``, which is 413.
    public typealias Handler = @Sendable (RouteRequest, HTTPRequestBody) async throws -> HTTPRouteResponse

    /// The one method that is answered here; others of the same path are other routes.
    public let method: Method
    /// The paths that are answered here.
    public let path: RoutePath
    /// Where it is served.
    public let port: RoutePort
    /// The longest body of a request, in bytes. A longer one is refused with 413.
    public let maximumBodyBytes: Int
    /// How long request and answer may take together; nil for what the server allows every connection.
    public let duration: Duration?
    public private(set) var handler: Handler

    /// - Parameters:
    ///   - maximumBodyBytes: 0 for requests without a body.
    ///   - duration: For bodies or answers that take long. Less than what the server allows has no effect.
    /// - Throws: ``RouteError``.
    public init(
        _ method: Method,
        _ path: String,
        on port: RoutePort = .shared,
        maximumBodyBytes: Int = 0,
        duration: Duration? = nil,
        handler: @escaping Handler
    ) throws(RouteError) {
        guard maximumBodyBytes >= 0 else { throw .boundOutOfRange(path: path, bytes: maximumBodyBytes, limit: .max) }
        self.method = method
        self.path = try RoutePath(path)
        self.port = port
        self.maximumBodyBytes = maximumBodyBytes
        self.duration = duration
        self.handler = handler
    }

    /// A copy of the route with another handler, for a server that looks at requests before the feature does.
    package func serving(_ handler: @escaping Handler) -> HTTPRoute {
        var route = self
        route.handler = handler
        return route
    }
}

/// The body of a request, piece by piece as it arrives: while no piece is asked for, the sender waits. For one reader.
public struct HTTPRequestBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    private let limit: Int
    private let next: @Sendable () async throws -> [UInt8]?

    /// - Parameters:
    ///   - limit: Bytes after which reading fails.
    ///   - next: The next piece; nil at the end.
    public init(limit: Int, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.limit = limit
        self.next = next
    }

    /// The whole body.
    ///
    /// - Throws: ``RouteError/bodyTooLarge(limit:)``; what the connection says when it breaks.
    public func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self { bytes += piece }
        return bytes
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(limit: limit, next: next) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var limit: Int
        fileprivate let whole: Int
        fileprivate let source: @Sendable () async throws -> [UInt8]?

        fileprivate init(limit: Int, next: @escaping @Sendable () async throws -> [UInt8]?) {
            self.limit = limit
            whole = limit
            source = next
        }

        /// - Throws: ``RouteError/bodyTooLarge(limit:)``; what the connection says when it breaks.
        public mutating func next() async throws -> [UInt8]? {
            guard let piece = try await source() else { return nil }
            guard piece.count <= limit else { throw RouteError.bodyTooLarge(limit: whole) }
            limit -= piece.count
            return piece
        }
    }
}

/// A feature's answer to an HTTP request.
public struct HTTPRouteResponse: Sendable {
    /// The bytes that follow the answer's head.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Pieces, each asked for once the network has room for it, until there is none; `length` is said ahead where it is known, in bytes.
        /// Nothing more is asked for when the client is gone.
        case pieces(length: Int?, next: @Sendable () async throws -> [UInt8]?)
    }

    /// 200 to 599.
    public let status: Int
    /// Fields of the answer's head, without `Content-Length`, which follows from the body.
    public let fields: [(name: String, value: String)]
    /// The answer's body; empty for an answer that is its status.
    public let body: Body

    public init(status: Int = 200, fields: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A plain text, for an answer that is no more than its status.
    public static func text(_ text: String, status: Int = 200) -> HTTPRouteResponse {
        HTTPRouteResponse(
            status: status,
            fields: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }
}
