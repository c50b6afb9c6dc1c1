public import Kernel

/// A paired computer that calls can be made to: every feature's client is built on this. A phone's session is one, and so is a command's
/// way to it over the control socket.
public protocol Peer: Sendable {
    /// The computer's id.
    var id: String { get }
    /// Whether what is said to it is sealed for it alone. A computer that cannot seal is one of another program.
    var isSealed: Bool { get }
    /// Calls a method by its name.
    ///
    /// - Parameter timeout: For reaching the computer and its answer together.
    /// - Throws: ``RemoteFailure`` when the computer refused, ``RemoteError`` or another error when no answer came; one that `isAbsence` where nothing was sent.
    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue
    /// Events that the computer tells from now on. Slow readers miss the oldest.
    func events() async throws -> AsyncStream<RemoteEvent>
    /// Whether a call would reach the computer now, and each change of that; ends when it is forgotten.
    func reachability() async throws -> AsyncStream<Bool>
}

extension Peer {
    /// How long a call waits for its answer when the caller does not say.
    public static var answerTime: Duration { .seconds(30) }

    /// Calls a declared method.
    public func call<Parameters, Answer>(
        _ method: Method<Parameters, Answer>,
        _ params: Parameters,
        timeout: Duration? = nil
    ) async throws -> Answer {
        try Answer(wire: try await call(method.name, params.wire, timeout: timeout ?? Self.answerTime))
    }

    /// Calls a declared method that takes no parameters. Throws as ``call(_:_:timeout:)``.
    public func call<Answer>(
        _ method: Method<NoParameters, Answer>,
        timeout: Duration? = nil
    ) async throws -> Answer {
        try await call(method, NoParameters(), timeout: timeout)
    }
}
