public import Kernel

/// A way to call a running role: its socket, or its table in the same process.
public protocol ControlCaller: Sendable {
    /// - Parameter onItem: Called for each item before the answer.
    func call(
        _ method: String,
        _ params: JSONValue,
        onItem: @escaping ControlRoute.Report
    ) async throws -> JSONValue
}

extension ControlCaller {
    /// Asks a declared method.
    ///
    /// - Throws: ``ControlError``; `CancellationError`, which also ends the work at the other side.
    public func call<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: Parameters
    ) async throws -> Answer {
        try await call(method.name, try JSONValue(encoding: parameters)) { _ in }.controlAnswer()
    }

    /// Asks a declared method that takes no parameters.
    public func call<Answer>(_ method: ControlMethod<NoControlParameters, Answer>) async throws -> Answer {
        try await call(method, NoControlParameters())
    }

    /// Asks a declared method that reports items. An item that this version cannot read is passed over: a newer role may report more.
    public func call<Parameters, Item, Answer>(
        _ stream: ControlStream<Parameters, Item, Answer>,
        _ parameters: Parameters,
        onItem: @escaping @Sendable (Item) async throws -> Void
    ) async throws -> Answer {
        try await call(stream.name, try JSONValue(encoding: parameters), onItem: reading(onItem)).controlAnswer()
    }
}

extension ControlClient {
    /// Asks a declared method that reports items and is told more while it runs.
    public func call<Parameters, Item, Answer, Input: AsyncSequence & Sendable>(
        _ stream: ControlStream<Parameters, Item, Answer>,
        _ parameters: Parameters,
        input: Input,
        onItem: @escaping @Sendable (Item) async throws -> Void
    ) async throws -> Answer where Input.Element == JSONValue {
        let parameters = try JSONValue(encoding: parameters)
        return try await call(stream.name, parameters, input: input, onItem: reading(onItem)).controlAnswer()
    }
}

extension ControlMethod {
    /// The method with its answer undecoded, for callers that print or keep it.
    public var asWire: ControlMethod<Parameters, JSONValue> { .init(name, summary: summary) }
}

extension ControlStream {
    /// The method with its items and answer undecoded, for callers that print or keep them.
    public var asWire: ControlStream<Parameters, JSONValue, JSONValue> { .init(name, summary: summary) }
}

extension JSONValue {
    /// - Throws: ``ControlError/unreadableAnswer``.
    public func controlAnswer<Answer: Decodable>() throws(ControlError) -> Answer {
        do {
            return try decode(as: Answer.self)
        } catch {
            throw .unreadableAnswer
        }
    }
}

private func reading<Item: Decodable & Sendable>(
    _ onItem: @escaping @Sendable (Item) async throws -> Void
) -> ControlRoute.Report {
    { value in
        guard let item = try? value.decode(as: Item.self) else { return }
        try await onItem(item)
    }
}
