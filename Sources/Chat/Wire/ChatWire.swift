public import Kernel

/// What travels as a JSON object. Reading takes every spelling of existing programs; writing has one form.
public protocol ChatWire: Hashable, Sendable {
    /// - Throws: ``ChatError/malformed(_:)`` with the member that is missing or wrong, ``ChatError/tooLong(_:limit:)``,
    ///   ``ChatError/tooMany(_:limit:)``.
    init(wire: JSONValue) throws(ChatError)
    var wire: JSONValue { get }
}

/// An answer or a request without members.
public struct NoMembers: ChatWire {
    public init() {}

    /// Takes anything: programs send null, an empty text or an empty object.
    public init(wire: JSONValue) throws(ChatError) {}

    public var wire: JSONValue { [:] }
}
