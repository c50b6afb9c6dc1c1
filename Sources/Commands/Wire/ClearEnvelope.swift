package import Kernel

/// An envelope as it arrives outside a session: an object, or a JSON text of one. The answer takes the same form.
package struct ClearEnvelope: Hashable, Sendable {
    /// The envelope, parsed.
    package let value: JSONValue
    /// Whether it arrived as a JSON text.
    package let isText: Bool

    /// Nil for what is no envelope, or too large for one.
    package init?(_ payload: JSONValue) {
        guard let value = payload.parsedIfText(limit: CommandRequest.byteLimit), value.objectValue != nil else {
            return nil
        }
        self.value = value
        isText = payload.stringValue != nil
    }

    /// `envelope` as a payload in this form.
    package func payload(of envelope: JSONValue) -> JSONValue { Self.payload(of: envelope, isText: isText) }

    /// `envelope` as it is, or as a JSON text.
    package static func payload(of envelope: JSONValue, isText: Bool) -> JSONValue {
        isText ? .string(envelope.canonicalText) : envelope
    }
}
