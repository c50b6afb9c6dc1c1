public import Kernel

/// The message in which a device says what it is called, whenever its session is reached. It is sent inside the sealed session only; a
/// device that does not know it passes over it. Source: `docs/protocol.md` 2.6.
public struct OwnName: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "tandem:name"

    /// The name, cleaned for showing.
    public let name: String

    /// - Parameter name: As the device's owner gave it; it is cut and cleaned as in a pairing.
    public init(_ name: String) { self.name = PeerText.name(name) }

    /// Nil for another message, and for one without a name.
    public init?(message: JSONValue) {
        guard message["type"]?.stringValue == Self.type, let name = message["payload"]?["name"]?.stringValue,
            !name.isEmpty
        else { return nil }
        self.init(name)
    }

    /// The message that carries the name.
    public var message: JSONValue { ["type": .string(Self.type), "payload": ["name": .string(name)]] }

    /// The name that a record is to have.
    ///
    /// - Parameters:
    ///   - name: The name in the record.
    ///   - told: What the device said last; nil where it is not known.
    /// - Returns: The name in the record where the person here may have given it: theirs stays.
    func replacing(_ name: String, told: String?) -> String { told == name ? self.name : name }
}
