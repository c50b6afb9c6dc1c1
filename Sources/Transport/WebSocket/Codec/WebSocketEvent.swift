package import Kernel

package enum WebSocketDataKind: Sendable {
    case text, binary
}

/// An event that a reader found in its input. Text has been checked to be UTF-8.
package enum WebSocketEvent {
    /// A message of `count` bytes at the start of the scratch memory, valid until the next event is read.
    case small(WebSocketDataKind, count: Int, ByteFacts)
    /// A message in a buffer of its own: ``WebSocketFrameReader/takeMessage()``. It has ``WebSocketFrameReader/headroom`` free
    /// bytes in front.
    case large(WebSocketDataKind, ByteFacts)
    case ping([UInt8])
    case pong([UInt8])
    /// Nil when the peer gave no code.
    case close(WebSocketCloseCode?, reason: String)
}
