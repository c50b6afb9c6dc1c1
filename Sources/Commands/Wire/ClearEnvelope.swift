public import Kernel

/// An envelope as it arrives outside a session: an object, or a JSON text of one. The answer takes the same form.
public struct ClearEnvelope: Hashable, Sendable {
    public let value: JSONValue
    public let isText: Bool

    /// Nil for what is no envelope, or too large for one.
    public init?(_ payload: JSONValue) {
        guard let value = payload.parsedIfText(limit: CommandRequest.byteLimit), value.objectValue != nil else {
            return nil
        }
        self.value = value
        isText = payload.stringValue != nil
    }

    /// `envelope` as a payload in this form.
    public func payload(of envelope: JSONValue) -> JSONValue { Self.payload(of: envelope, isText: isText) }

    public static func payload(of envelope: JSONValue, isText: Bool) -> JSONValue {
        isText ? .string(envelope.canonicalText) : envelope
    }
}
