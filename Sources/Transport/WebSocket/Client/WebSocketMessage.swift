/// One whole message.
public enum WebSocketMessage: Hashable, Sendable {
    /// Bytes that were checked to be UTF-8.
    case text([UInt8])
    case binary([UInt8])
}
