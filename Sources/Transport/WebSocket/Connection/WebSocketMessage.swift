/// One whole message.
public enum WebSocketMessage: Hashable, Sendable {
    /// Bytes that were checked to be UTF-8.
    case text([UInt8])
    case binary([UInt8])

    /// The message's bytes, whichever kind it is.
    public var bytes: [UInt8] {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }

    var byteCount: Int { bytes.count }
}
