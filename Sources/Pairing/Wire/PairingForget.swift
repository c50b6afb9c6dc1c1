import Kernel

/// The message that ends a pairing: the sender removed its record, and the receiver removes its own. It is sent inside the sealed
/// session only. Source: `docs/protocol.md` 2.6.
public enum PairingForget {
    /// The value of `type`.
    public static let type = "pairing:forget"
    /// The message's bytes inside a session.
    public static let message: [UInt8] = (["type": .string(type)] as JSONValue).canonicalBytes
}
