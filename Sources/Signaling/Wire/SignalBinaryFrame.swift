/// A binary frame that a server passes on: the compact form of a sealed record, or a piece of a move's link. Source: `docs/protocol.md` 2.2.
public struct SignalBinaryFrame: Hashable, Sendable {
    /// The number of bytes before the ciphertext: kind, flags, route and sequence number.
    public static let headerByteCount = 14
    /// The kind of sealed records.
    public static let recordKind: UInt8 = 1
    /// The kind of pieces of a link between two phones that move: `docs/protocol.md` 2.14.6.
    public static let moveKind: UInt8 = 2
    /// The first bytes that tell a binary frame from JSON.
    public static let kinds: ClosedRange<UInt8> = 1...8

    /// The frame's kind, one of ``kinds``.
    public var kind: UInt8
    /// The low 8 bits of a record's generation; what a piece of a move's link is.
    public var flags: UInt8
    /// The record's number within its direction; a number of the move's link.
    public var sequence: UInt64
    /// The ciphertext, then the tag of 16 bytes; of a move's link its number and bytes.
    public var ciphertext: ArraySlice<UInt8>

    public init(kind: UInt8 = recordKind, flags: UInt8, sequence: UInt64, ciphertext: ArraySlice<UInt8>) {
        self.kind = kind
        self.flags = flags
        self.sequence = sequence
        self.ciphertext = ciphertext
    }

    /// Nil for a frame that is too short or starts like JSON.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headerByteCount, Self.kinds.contains(bytes[0]) else { return nil }
        kind = bytes[0]
        flags = bytes[1]
        sequence = bytes[6..<14].reduce(0) { $0 << 8 | UInt64($1) }
        ciphertext = bytes[Self.headerByteCount...]
    }

    /// The route in a whole frame, which is valid on one socket only; nil where the frame is too short.
    public static func route(of bytes: [UInt8]) -> UInt32? {
        guard bytes.count >= 6 else { return nil }
        return bytes[2..<6].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The bytes before the ciphertext.
    public func header(route: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [kind, flags]
        bytes.reserveCapacity(Self.headerByteCount)
        withUnsafeBytes(of: route.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: sequence.bigEndian) { bytes += $0 }
        return bytes
    }
}
