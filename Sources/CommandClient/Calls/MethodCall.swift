package import Commands
package import Control
public import Kernel

/// A method of a computer and its parameters, as commands and pages ask a role of this machine for it.
public struct MethodCall: Codable, Hashable, Sendable {
    /// In full, for example `threads.list`.
    public var method: String
    /// An object; nil for an empty one.
    public var params: JSONValue?
    /// The computer's id or name; nil where only one is paired, and at a computer.
    public var device: String?
    /// Seconds, 1 to 3600; nil for as long as the method is given.
    public var timeout: Int?

    public init(_ method: String, _ params: JSONValue, device: String?, timeout: Int? = nil) {
        self.method = method
        self.params = params
        self.device = device
        self.timeout = timeout
    }

    /// - Parameter seconds: Where the asker names no time.
    /// - Throws: `ControlError/badParameter(name:expected:)`.
    package func limit(orElse seconds: Int = 30) throws(ControlError) -> Duration {
        let seconds = timeout ?? seconds
        guard (1...3600).contains(seconds) else {
            throw .badParameter(name: "timeout", expected: "1 to 3600 seconds")
        }
        return .seconds(seconds)
    }
}

extension ControlRoute {
    /// Serves calls of a feature's methods, and of no others.
    ///
    /// - Parameters:
    ///   - seconds: What a method may take where the asker names no time.
    ///   - find: A computer by its name or id; nil for the only one.
    package init(
        _ calls: ControlMethod<MethodCall, JSONValue>,
        of methods: [MethodDeclaration],
        seconds: @escaping @Sendable (MethodDeclaration) -> Int = { _ in 30 },
        find: @escaping @Sendable (_ name: String?) async throws -> any Peer
    ) {
        self.init(calls) { call in
            guard let method = methods.first(where: { $0.name == call.method }) else {
                throw ControlError.unknownMethod(call.method)
            }
            let limit = try call.limit(orElse: seconds(method))
            return try await find(call.device).call(method.name, call.params ?? [:], timeout: limit)
        }
    }
}
