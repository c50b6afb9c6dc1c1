public import Kernel

/// What a command or a page on this machine can ask a running role, as both know it: declared once by the feature that answers it.
public struct ControlMethod<Parameters: Codable & Sendable, Answer: Codable & Sendable>: Sendable {
    /// In full, for example `activity.list`.
    public let name: String
    /// One line for people: what it does.
    public let summary: String

    public init(_ name: String, summary: String) {
        self.name = name
        self.summary = summary
    }
}

/// The parameters of a control method that takes none.
public struct NoControlParameters: Codable, Hashable, Sendable {
    public init() {}
}

/// One thing that a running role answers on its control socket.
public struct ControlRoute: Sendable {
    public typealias Report = @Sendable (JSONValue) async throws -> Void
    public typealias Run = @Sendable (ControlRequest, ControlInput, @escaping Report) async throws -> JSONValue

    public let name: String
    public let summary: String
    public let run: Run

    public init(_ name: String, summary: String = "", run: @escaping Run) {
        self.name = name
        self.summary = summary
        self.run = run
    }

    /// Answers a declared method.
    ///
    /// - Parameter run: Its description of an error is shown to the person who typed the command.
    public init<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        run: @escaping @Sendable (Parameters) async throws -> Answer
    ) {
        self.init(method) { parameters, _, _ in try await run(parameters) }
    }

    /// Answers a declared method that reports items before its answer, or takes more while it runs.
    public init<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        run: @escaping @Sendable (Parameters, ControlInput, @escaping Report) async throws -> Answer
    ) {
        self.init(method.name, summary: method.summary) { request, input, report in
            let parameters: Parameters
            do {
                parameters = try request.params.decode(as: Parameters.self)
            } catch let error as DecodingError {
                throw ControlError.badParameters(method: method.name, reason: error.sentence)
            }
            return try JSONValue(encoding: try await run(parameters, input, report))
        }
    }
}

/// A role's control methods: what its own parts and its features answer.
public struct ControlTable: ControlHandler {
    public let routes: [ControlRoute]
    private let byName: [String: ControlRoute]

    /// - Parameter routes: Of several with one name the first holds.
    public init(_ routes: [ControlRoute]) {
        self.routes = routes
        byName = Dictionary(routes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        guard let route = byName[request.method] else { throw ControlError.unknownMethod(request.method) }
        return try await route.run(request, input, report)
    }
}

extension ControlClient {
    /// Asks a declared method.
    ///
    /// - Throws: ``ControlError``; `CancellationError`, which also ends the work at the other side.
    public func call<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: Parameters,
        onItem: @escaping @Sendable (JSONValue) async throws -> Void = { _ in }
    ) async throws -> Answer {
        let answer = try await call(method.name, try JSONValue(encoding: parameters), onItem: onItem)
        return try answer.decode(as: Answer.self)
    }

    /// The same for a method that is told more while it runs.
    public func call<Parameters, Answer, Input: AsyncSequence & Sendable>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: Parameters,
        input: Input,
        onItem: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> Answer where Input.Element == JSONValue {
        let answer = try await call(method.name, try JSONValue(encoding: parameters), input: input, onItem: onItem)
        return try answer.decode(as: Answer.self)
    }
}

extension DecodingError {
    /// What does not fit, for the person who typed it.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) does not fit"
        @unknown default: "they do not fit"
        }
    }
}
