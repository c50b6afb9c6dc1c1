public import Kernel
public import Rights
import Storage

/// One thing that a running role answers on its control socket.
public struct ControlRoute: Sendable {
    /// Sends one item to the asker, and waits until it is taken; throws once the asker has gone.
    public typealias Report = @Sendable (JSONValue) async throws -> Void
    typealias Run = @Sendable (ControlRequest, ControlInput, @escaping Report) async throws -> JSONValue

    /// In full, as in ``ControlRequest/method``.
    public let name: String
    /// One line for people: what it does.
    public let summary: String
    /// The kind of connection it needs.
    public let needs: Needs
    /// The right that the other device has to give, which a refusal names. Nil where it depends on what is asked, or none is needed.
    public private(set) var right: Right?
    /// For the contract that the tests write of all routes.
    package let types: ControlTypes
    private(set) var run: Run

    /// The kind of connection a caller has to bring: a page calls the first kind over HTTP, the others over a WebSocket.
    public enum Needs: String, Hashable, Sendable {
        /// One question and its answer.
        case answer
        /// A connection that stays open for items.
        case items
        /// One that also takes input while it is open.
        case input
    }

    /// Answers a declared method.
    ///
    /// - Parameter run: Its description of an error is shown to the person who typed the command.
    public init<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        run: @escaping @Sendable (Parameters) async throws -> Answer
    ) {
        let types = ControlTypes(parameters: Parameters.self, item: nil, answer: Answer.self)
        self.init(method.name, method.summary, .answer, types) { parameters, _, _ in try await run(parameters) }
    }

    /// Answers a declared method that reports items before its answer.
    public init<Parameters, Item, Answer>(
        _ stream: ControlStream<Parameters, Item, Answer>,
        run: @escaping @Sendable (Parameters, @escaping @Sendable (Item) async throws -> Void) async throws -> Answer
    ) {
        let types = ControlTypes(parameters: Parameters.self, item: Item.self, answer: Answer.self)
        self.init(stream.name, stream.summary, .items, types) { parameters, _, report in
            try await run(parameters) { try await report(try JSONValue(encoding: $0)) }
        }
    }

    /// Answers a declared method that reports items before its answer and takes more while it runs.
    ///
    /// - Parameter run: Its report throws once the asker has gone; its task is cancelled then.
    public init<Parameters, Item, Answer>(
        _ stream: ControlStream<Parameters, Item, Answer>,
        run:
            @escaping @Sendable (Parameters, ControlInput, @escaping @Sendable (Item) async throws -> Void)
            async throws -> Answer
    ) {
        let types = ControlTypes(parameters: Parameters.self, item: Item.self, answer: Answer.self)
        self.init(stream.name, stream.summary, .input, types) { parameters, input, report in
            try await run(parameters, input) { try await report(try JSONValue(encoding: $0)) }
        }
    }

    /// A copy of the route with one more member in its answer.
    public func adding(_ name: String, _ value: JSONValue) -> ControlRoute {
        var route = self
        route.run = { [run] request, input, report in try await run(request, input, report).adding(name, value) }
        return route
    }

    /// A copy of the route that is answered only where `check` throws nothing.
    package func requiring(_ check: @escaping @Sendable () throws -> Void) -> ControlRoute {
        var route = self
        route.run = { [run] request, input, report in
            try check()
            return try await run(request, input, report)
        }
        return route
    }

    /// A copy of the route whose refusals name the right that is missing.
    public func needing(_ right: Right) -> ControlRoute {
        var route = self
        route.right = right
        return route
    }

    private init<Parameters: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ name: String,
        _ summary: String,
        _ needs: Needs,
        _ types: ControlTypes,
        run: @escaping @Sendable (Parameters, ControlInput, @escaping Report) async throws -> Answer
    ) {
        self.name = name
        self.summary = summary
        self.needs = needs
        self.types = types
        self.run = { request, input, report in
            let parameters: Parameters
            do {
                parameters = try request.params.decode(as: Parameters.self)
            } catch let error as DecodingError {
                throw ControlError.badParameters(method: name, reason: error.sentence)
            }
            do {
                return try JSONValue(encoding: try await run(parameters, input, report))
            } catch {
                // A database's own error speaks of statements.
                throw StorageError.telling(error)
            }
        }
    }
}

/// The types of what a route takes and gives.
package struct ControlTypes: Sendable {
    package let parameters: any (Codable & Sendable).Type
    /// Nil for a route that reports no items.
    package let item: (any (Codable & Sendable).Type)?
    package let answer: any (Codable & Sendable).Type
}

/// A role's control methods: what its own parts and its features answer.
public struct ControlTable: ControlHandler, ControlCaller {
    /// In the order in which they were given.
    public let routes: [ControlRoute]
    private let byName: [String: ControlRoute]

    /// - Parameter routes: Where several have one name, the first holds.
    public init(_ routes: [ControlRoute]) {
        self.routes = routes
        byName = Dictionary(routes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The right that a method needs at the other device; nil for one that is not here.
    public func right(of method: String) -> Right? { byName[method]?.right }

    public func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping ControlRoute.Report
    ) async throws -> JSONValue {
        guard let route = byName[request.method] else { throw ControlError.unknownMethod(request.method) }
        return try await route.run(request, input, report)
    }

    public func call(
        _ method: String,
        _ params: JSONValue,
        onItem: @escaping ControlRoute.Report
    ) async throws -> JSONValue {
        try await handle(ControlRequest(id: 0, method: method, params: params), report: onItem)
    }
}

extension DecodingError {
    /// The mismatch, as a sentence for the person who typed the command.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) does not fit"
        @unknown default: "they do not fit"
        }
    }
}
