/// The name of a forwarded connection between one phone and one computer. The phone makes it.
package struct PortStreamID: Hashable, Sendable {
    /// Drawn at random when the phone's program begins: a computer that sees another one ends what belongs to the one before.
    package let instance: UInt64
    /// Counts the connections of an instance, from 1.
    package let number: UInt32

    package init(instance: UInt64, number: UInt32) {
        self.instance = instance
        self.number = number
    }
}

/// A part of a forwarded connection as a binary message of the session.
///
/// `02 ‖ version 01 ‖ kind ‖ instance (8 bytes) ‖ number (4) ‖ offset (8) ‖ rest`, numbers big-endian. Frames of one connection may be worked on
/// in any order, so each says by its offset where it belongs. Source: `docs/protocol.md`, "Ports".
package struct PortFrame: Hashable, Sendable {
    package static let firstByte: UInt8 = 0x02
    package static let version: UInt8 = 0x01
    /// Bytes before the rest.
    package static let headerSize = 23
    private static let reasonLimit = 1024

    /// The content of a frame, by its kind.
    package enum Content: Hashable, Sendable {
        /// Connect to a port. The offset is how far the computer may send.
        case open(port: Int)
        /// Connected. The offset is how far the phone may send.
        case opened
        /// Bytes that belong at the offset.
        case data(ArraySlice<UInt8>)
        /// Nothing comes behind the offset; the other direction goes on.
        case end
        /// The receiver of this may send up to the offset from now on.
        case window
        /// The connection is over in both directions, whatever the offset.
        case reset(PortReset)
        /// It was not opened, or a frame of it was not taken.
        case refused(code: Int, reason: String)
    }

    package var stream: PortStreamID
    package var offset: Int64
    package var content: Content

    package init(_ stream: PortStreamID, offset: Int64, _ content: Content) {
        self.stream = stream
        self.offset = offset
        self.content = content
    }

    /// Nil for anything that is not exactly a frame of this version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, bytes.count <= Self.headerSize + PortLimits.frameBytes,
            bytes[0] == Self.firstByte, bytes[1] == Self.version,
            let offset = Int64(exactly: Self.number(bytes[15..<23])), offset <= Int64.max - Int64(PortLimits.window)
        else { return nil }
        let rest = bytes[Self.headerSize...]
        switch bytes[2] {
        case 1 where rest.count == 2:
            let port = Int(Self.number(rest))
            guard PortLimits.ports.contains(port) else { return nil }
            content = .open(port: port)
        case 2 where rest.isEmpty: content = .opened
        case 3 where !rest.isEmpty: content = .data(rest)
        case 4 where rest.isEmpty: content = .end
        case 5 where rest.isEmpty: content = .window
        case 6 where rest.count == 1: content = .reset(PortReset(rawValue: rest[rest.startIndex]))
        case 7 where rest.count >= 4 && rest.count <= 4 + Self.reasonLimit:
            let code = Int32(bitPattern: UInt32(Self.number(rest.prefix(4))))
            content = .refused(code: Int(code), reason: String(decoding: rest.dropFirst(4), as: UTF8.self))
        default: return nil
        }
        stream = PortStreamID(
            instance: Self.number(bytes[3..<11]),
            number: UInt32(truncatingIfNeeded: Self.number(bytes[11..<15]))
        )
        self.offset = offset
    }

    /// The whole frame as it travels. A reason is cut to 1024 bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if case .data(let data) = content { bytes.reserveCapacity(Self.headerSize + data.count) }
        bytes += [Self.firstByte, Self.version, kind]
        Self.append(stream.instance, width: 8, to: &bytes)
        Self.append(UInt64(stream.number), width: 4, to: &bytes)
        Self.append(UInt64(clamping: offset), width: 8, to: &bytes)
        switch content {
        case .open(let port): Self.append(UInt64(clamping: port), width: 2, to: &bytes)
        case .data(let data): bytes += data
        case .reset(let reason): bytes.append(reason.rawValue)
        case .refused(let code, let reason):
            Self.append(UInt64(UInt32(bitPattern: Int32(clamping: code))), width: 4, to: &bytes)
            bytes += reason.utf8.prefix(Self.reasonLimit)
        case .opened, .end, .window: break
        }
        return bytes
    }

    private var kind: UInt8 {
        switch content {
        case .open: 1
        case .opened: 2
        case .data: 3
        case .end: 4
        case .window: 5
        case .reset: 6
        case .refused: 7
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        for place in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
    }
}
