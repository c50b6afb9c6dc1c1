/// What clients send, ready for the socket: masked, as RFC 6455 demands of a client.
enum ClientFrame {
    /// Any key will do, as long as none of its bytes is zero: the server must do the work.
    private static let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    static func pong(_ payload: [UInt8]) -> [UInt8] { frame(0x8a, payload) }

    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var bytes = head(first, payload.count, maskBit: 0x80)
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
        return bytes
    }

    /// The same from a server, for measuring without one between.
    static func unmasked(_ text: String) -> [UInt8] { head(0x81, text.utf8.count, maskBit: 0) + Array(text.utf8) }

    private static func head(_ first: UInt8, _ count: Int, maskBit: UInt8) -> [UInt8] {
        switch count {
        case ..<126: [first, maskBit | UInt8(count)]
        case ..<65_536: [first, maskBit | 126, UInt8(count >> 8), UInt8(count & 0xff)]
        default: [first, maskBit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        }
    }
}
