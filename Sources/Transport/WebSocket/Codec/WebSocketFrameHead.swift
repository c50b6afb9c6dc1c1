/// The first 2 to 14 bytes of a frame (RFC 6455 section 5.2).
package struct WebSocketFrameHead: Hashable, Sendable {
    package var isFinal: Bool
    package var opcode: WebSocketOpcode
    /// The masking key as a little-endian number, 0 for an unmasked frame.
    package var mask: UInt32
    package var payloadLength: Int
    /// Bytes of the head itself.
    package var length: Int

    package enum Parsed {
        /// More bytes are needed: at least this many in all.
        case incomplete(needed: Int)
        case head(WebSocketFrameHead)
        case violation(WebSocketViolation)
    }

    /// - Parameters:
    ///   - role: The reader's role. A server demands masked frames, a client unmasked ones.
    ///   - limit: The largest payload that is accepted: checked here, before anything is allocated for it.
    package static func parse(_ bytes: UnsafeRawBufferPointer, role: WebSocketRole, limit: Int) -> Parsed {
        guard bytes.count >= 2 else { return .incomplete(needed: 2) }
        let first = bytes[0]
        let second = bytes[1]
        guard first & 0x70 == 0 else { return .violation(.reservedBits) }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            return .violation(.reservedOpcode(first & 0x0F))
        }
        let isFinal = first & 0x80 != 0
        let isMasked = second & 0x80 != 0
        switch role {
        case .server where !isMasked: return .violation(.unmaskedFrame)
        case .client where isMasked: return .violation(.maskedFrame)
        default: break
        }
        let short = Int(second & 0x7F)
        if opcode.isControl {
            guard isFinal else { return .violation(.fragmentedControl) }
            guard short <= 125 else { return .violation(.longControl) }
        }
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        let headLength = 2 + lengthBytes + (isMasked ? 4 : 0)
        guard bytes.count >= headLength else { return .incomplete(needed: headLength) }

        var payloadLength = short
        if lengthBytes == 2 {
            payloadLength = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard payloadLength > 125 else { return .violation(.nonMinimalLength) }
        } else if lengthBytes == 8 {
            let wide = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard wide > 0xFFFF else { return .violation(.nonMinimalLength) }
            guard wide <= UInt64(limit) else { return .violation(.messageTooBig(limit: limit)) }
            payloadLength = Int(wide)
        }
        guard opcode.isControl || payloadLength <= limit else { return .violation(.messageTooBig(limit: limit)) }
        let mask =
            isMasked
            ? UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 + lengthBytes, as: UInt32.self)) : 0
        return .head(
            WebSocketFrameHead(
                isFinal: isFinal,
                opcode: opcode,
                mask: mask,
                payloadLength: payloadLength,
                length: headLength
            )
        )
    }
}
