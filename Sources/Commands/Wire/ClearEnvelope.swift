public import Kernel

/// An envelope as it arrives outside a session: an object, or a JSON text of one. The answer takes the same form.
public struct ClearEnvelope: Hashable, Sendable {
    public let value: JSONValue
    public let isText: Bool

    /// Nil for what is no envelope, or too large for one.
    public init?(_ payload: JSONValue) {
        switch payload {
        case .object:
            (value, isText) = (payload, false)
        case .string(let text):
            guard text.utf8.count <= CommandRequest.byteLimit, text.utf8.first == UInt8(ascii: "{"),
                let parsed = try? JSONValue(parsing: text.utf8)
            else { return nil }
            (value, isText) = (parsed, true)
        default:
            return nil
        }
    }

    /// `envelope` as a payload in this form.
    public func payload(of envelope: JSONValue) -> JSONValue { Self.payload(of: envelope, isText: isText) }

    public static func payload(of envelope: JSONValue, isText: Bool) -> JSONValue {
        isText ? .string(envelope.canonicalText) : envelope
    }
}
