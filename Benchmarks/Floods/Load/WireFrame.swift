/// WebSocket frames of a client, ready for the socket. The mask is zero, so that building them costs nothing: what a
/// server does with them is the same for every mask.
enum WireFrame {
    static func text(_ text: String) -> [UInt8] {
        let payload = Array(text.utf8)
        return head(0x81, payload: payload.count) + payload
    }

    static func binary(_ payload: [UInt8]) -> [UInt8] { head(0x82, payload: payload.count) + payload }

    static func pong(_ payload: ArraySlice<UInt8>) -> [UInt8] { head(0x8a, payload: payload.count) + payload }

    /// A frame's beginning with the length it announces.
    static func head(_ first: UInt8, payload count: Int) -> [UInt8] {
        let length: [UInt8] =
            switch count {
            case ..<126: [0x80 | UInt8(count)]
            case ..<65_536: [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xff)]
            default: [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
            }
        return [first] + length + [0, 0, 0, 0]
    }

    static func upgrade(host: String, headers: String = "") -> [UInt8] {
        Array(
            ("GET / HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(headers)"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8
        )
    }
}
