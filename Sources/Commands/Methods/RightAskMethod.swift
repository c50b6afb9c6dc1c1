public import Kernel
public import Rights

/// The parameters of ``Method/askForRight``.
public struct RightQuestion: MethodParameters, Hashable {
    public let right: Right

    public init(_ right: Right) { self.right = right }

    public init(wire: RemoteParameters) throws {
        right = Right(rawValue: try wire.text("right", limit: Right.nameLimit))
    }

    public var wire: JSONValue { ["right": .string(right.rawValue)] }
}

/// How the request for a right stands.
public struct RightQuestionAnswer: MethodAnswer, Hashable {
    /// `allowed`, `waiting`, `refused` or `unanswered`.
    public let state: String
    /// In milliseconds since 1970, by the computer's clock: the end of a request that waits, else when the right can be asked for again.
    public let until: Int64

    public init(state: String, until: Int64) {
        self.state = state
        self.until = until
    }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let state = wire["state"]?.stringValue else { throw .malformedResult }
        self.state = state
        until = wire["until"]?.integerValue ?? 0
    }

    public var wire: JSONValue { ["state": .string(state), "until": .integer(until)] }
}

extension Method where Parameters == RightQuestion, Answer == RightQuestionAnswer {
    /// Asks the owner of a computer for a right there. Every paired phone may; it changes nothing until the owner says yes.
    /// Source: `docs/protocol.md`, "Asking for a right".
    package static var askForRight: Self {
        Self("rights.ask", needs: nil, risk: .safe, summary: "Asks the owner of this computer for a right.")
    }
}
