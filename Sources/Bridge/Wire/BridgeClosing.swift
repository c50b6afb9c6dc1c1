public import Transport

extension WebSocketCloseCode {
    /// The bridge: the token or code is not known here.
    public static let wrongToken = WebSocketCloseCode(rawValue: 4401)
    /// The token was taken back.
    public static let tokenRevoked = WebSocketCloseCode(rawValue: 4403)
    /// No Hello came in time.
    public static let helloMissing = WebSocketCloseCode(rawValue: 4408)
    /// Too many sockets, or too much that the client does not take.
    public static let tooMuch = WebSocketCloseCode(rawValue: 4429)
}
