/// One end of an open WebSocket, the client's or the server's: what features speak through, whichever end they are.
///
/// Reading and writing hold each other to the network's pace: a reader that falls behind stops the socket, so that the other end waits;
/// a writer waits while the socket does not take more.
public protocol WebSocketPeer: AnyObject, Sendable {
    /// Every message in order, for one reader. Ends when the connection does; then ``closure`` says why.
    var messages: WebSocketMessages { get }
    /// The subprotocol that both ends agreed on; nil for none.
    var subprotocol: String? { get }
    /// The address of the other end, for showing and for logs; nil where there is none.
    var remoteAddress: String? { get }
    /// How the connection ended; nil while it is open.
    var closure: WebSocketClosure? { get }
    /// Sends one text message. Returns once the operating system took it, or where little waits for it.
    ///
    /// - Parameter text: UTF-8; the other end closes the connection over anything else.
    /// - Throws: ``WebSocketError/closed``, ``WebSocketError/messageTooBig(limit:)``; `CancellationError` where the caller was cancelled
    ///   while it waited, in which case the message goes out all the same.
    func send(text: [UInt8]) async throws
    /// Sends one binary message, as ``send(text:)`` does.
    func send(binary: [UInt8]) async throws
    /// Sends a ping and returns when its pong came.
    ///
    /// - Throws: ``WebSocketError/closed`` when the connection ends first; `CancellationError`.
    func ping() async throws
    /// Closes with the close handshake and returns when the socket is gone, which is bounded. Closing twice is harmless.
    ///
    /// - Parameter reason: At most 123 bytes of it are sent.
    func close(_ code: WebSocketCloseCode, reason: String) async
    /// Ends the connection at once, without a close frame.
    func abort()
}

extension WebSocketPeer {
    /// Sends one text message, as `send(text:)` with bytes does.
    public func send(text: String) async throws { try await send(text: Array(text.utf8)) }
}
