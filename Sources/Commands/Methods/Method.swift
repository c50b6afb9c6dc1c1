public import Kernel
public import Rights

/// One method of a computer, as both ends know it: declared once, in its feature's `Wire/`. The computer's half serves it with a typed
/// closure, the phone's half calls it with typed values; both write and read the wire through these two types.
public struct Method<Parameters: MethodParameters, Answer: MethodAnswer>: Sendable {
    /// The part that does not depend on the types: for lists of methods and for the gate.
    public let declaration: MethodDeclaration

    /// In full, for example `clipboard.get`.
    public var name: String { declaration.name }

    /// - Parameter permission: Nil: every paired phone may call it.
    public init(
        _ name: String,
        otherNames: [String] = [],
        needs permission: Permission?,
        risk: Risk,
        mayWait: Bool = false,
        isRepeatable: Bool = false,
        continues: String? = nil,
        isOrdered: Bool = false,
        summary: String
    ) {
        declaration = MethodDeclaration(
            name,
            otherNames: otherNames,
            permission: permission,
            risk: risk,
            mayWait: mayWait,
            isRepeatable: isRepeatable,
            continues: continues,
            isOrdered: isOrdered,
            summary: summary,
            check: { _ = try Parameters(wire: RemoteParameters($0)) }
        )
    }
}

/// The parameters of a method.
public protocol MethodParameters: Sendable {
    /// Reads a request's parameters, in every shape that existing programs send.
    ///
    /// - Throws: ``RemoteFailure`` with -32602 naming what does not fit, or the feature's own refusal.
    init(wire: RemoteParameters) throws
    /// The form that our phones send: an object.
    var wire: JSONValue { get }
}

/// The answer of a method.
public protocol MethodAnswer: Sendable {
    /// Reads an answer, also one of a program that leaves out what is not documented.
    ///
    /// - Throws: ``RemoteError/malformedResult`` without what it cannot do without.
    init(wire: JSONValue) throws(RemoteError)
    /// The form that our computers send: the documented members and those of existing programs.
    var wire: JSONValue { get }
}

/// The parameters of a method that takes none. What a caller sends all the same is not looked at.
public struct NoParameters: MethodParameters, Hashable {
    public init() {}
    public init(wire: RemoteParameters) {}
    public var wire: JSONValue { .object([:]) }
}

/// An answer that says only that it is done.
public struct Done: MethodAnswer, Hashable {
    public init() {}
    public init(wire: JSONValue) {}
    public var wire: JSONValue { ["success": true] }
}

extension JSONValue: MethodParameters, MethodAnswer {
    public init(wire: RemoteParameters) { self = wire.value }
    public init(wire: JSONValue) { self = wire }
    public var wire: JSONValue { self }
}
