import Sealing

/// The 16 random bytes that name one sealed session.
public struct SessionID: Hashable, Sendable {
    /// Bytes of a session's id, `sid`.
    public static let byteCount = 16

    /// The id itself.
    public let bytes: [UInt8]

    /// Nil unless there are exactly 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// An id that was never used.
    public static func random() -> SessionID { SessionID(unchecked: RandomBytes.make(byteCount)) }

    /// Stands for "whichever you meant" in a notice about a compact record, which names no session.
    public static let unnamed = SessionID(unchecked: [UInt8](repeating: 0, count: byteCount))
}
