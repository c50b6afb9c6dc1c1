/// A peer's violation of the protocol, which ends the connection.
package enum WebSocketViolation: Error, Hashable, Sendable {
    case reservedBits
    case reservedOpcode(UInt8)
    case unmaskedFrame
    case maskedFrame
    case nonMinimalLength
    case fragmentedControl
    case longControl
    case unexpectedContinuation
    case interruptedMessage
    case messageTooBig(limit: Int)
    case invalidUTF8
    case invalidClose

    /// The code of the close frame that answers it.
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .messageTooBig: .tooBig
        case .invalidUTF8: .invalidData
        default: .protocolError
        }
    }

    /// The close frame's reason: for the person who debugs the peer.
    package var reason: String {
        switch self {
        case .reservedBits: "A reserved bit is set"
        case .reservedOpcode(let opcode): "Opcode \(opcode) is reserved"
        case .unmaskedFrame: "A client must mask its frames"
        case .maskedFrame: "A server must not mask its frames"
        case .nonMinimalLength: "The length is not in its shortest form"
        case .fragmentedControl: "A control frame must not be fragmented"
        case .longControl: "A control frame holds at most 125 bytes"
        case .unexpectedContinuation: "A continuation without a message"
        case .interruptedMessage: "A new message inside a fragmented one"
        case .messageTooBig(let limit): "A message is at most \(limit) bytes"
        case .invalidUTF8: "Text must be UTF-8"
        case .invalidClose: "The close frame is malformed"
        }
    }
}
