/// A frame's opcode (RFC 6455 section 11.8). The other ten values are reserved and refused.
package enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    package var isControl: Bool { rawValue >= 0x8 }
}
