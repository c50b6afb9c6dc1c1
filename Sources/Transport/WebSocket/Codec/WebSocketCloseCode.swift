/// Why a connection was closed, as a number of RFC 6455 section 7.4 or one of our own (4000 to 4999).
public struct WebSocketCloseCode: Hashable, Sendable, RawRepresentable {
    /// The number in the close frame.
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// All is said.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The end that closes is shutting down, or its page is left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// The other end broke the rules of RFC 6455.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A text was not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// The other end broke a rule of this service.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was longer than this end takes.
    public static let tooBig = WebSocketCloseCode(rawValue: 1009)
    /// Something went wrong at the end that closes.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// There is no room now, or the other end reads too slowly.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// Another socket proved the same id: a client waits a minute before it tries again. Source: `docs/protocol.md` section 2.1.
    public static let replaced = WebSocketCloseCode(rawValue: 4409)

    /// Whether a peer may put this number into a close frame.
    package var isAllowedOnTheWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
