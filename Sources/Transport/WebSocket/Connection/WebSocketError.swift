/// Why a WebSocket could not be opened or used. The description is shown to the person: what happened, then what to do.
public enum WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    case invalidURL(String)
    case unreachable(host: String, reason: String)
    case untrusted(host: String, reason: String)
    case unusableCertificates(reason: String)
    case timedOut(after: Duration)
    /// The server answered the handshake with this HTTP status.
    case refused(status: Int)
    /// What answered the handshake speaks something else.
    case notAWebSocketServer
    /// The connection ended before the handshake was answered: whoever took it stopped, or started anew, just then.
    case endedWhileOpening
    /// The connection is over; see ``WebSocketConnection/closure``.
    case closed
    case messageTooBig(limit: Int)
    /// A name that may not stand in the handshake.
    case invalidSubprotocol(String)

    public var description: String {
        switch self {
        case .invalidURL(let text):
            "\(text) is not the address of a server. It looks like wss://host or ws://192.168.1.20:9001."
        case .unreachable(let host, let reason):
            "\(host) could not be reached: \(reason). Check that it is running and on the same network."
        case .untrusted(let host, let reason):
            "\(host) did not prove who it is: \(reason). Check the address, and its certificate."
        case .unusableCertificates(let reason):
            "The trusted certificates could not be read: \(reason). Check the PEM file."
        case .timedOut(let limit):
            "The server did not answer within \(limit). Check the address and the network."
        case .refused(status: 421):
            "The server is not known by this address. Use its own, or name it there: tandem hub --name."
        case .refused(let status):
            "The server refused the connection with HTTP status \(status). Check the address."
        case .notAWebSocketServer:
            "What answers at that address is not a signaling server. Check the address and the port."
        case .endedWhileOpening:
            "The server ended the connection before it answered. Try again; if it goes on, check that it is running."
        case .closed:
            "The connection to the server was closed. Connect again."
        case .messageTooBig(let limit):
            "A message is at most \(limit) bytes. Send less at once."
        case .invalidSubprotocol(let name):
            "\(name) is no name of a subprotocol. Use letters, digits, dots and dashes."
        }
    }
}
