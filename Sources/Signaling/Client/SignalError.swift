/// The reason why signaling failed. The description is shown to the person: what happened, then what to do.
public enum SignalError: Error, Hashable, Sendable, CustomStringConvertible {
    case unsupportedURL(String)
    case insecureURL(host: String)
    /// The client is connected to another server, which it keeps until it is reset.
    case alreadyConnected(to: String)
    /// The client is registered under another id, which it keeps until it is reset.
    case alreadyRegistered(as: String)
    case notConnected
    /// The connection was up and ended.
    case connectionLost
    /// Another program proved the same id.
    case replacedByAnother
    case notRegistered
    case timedOut(after: Duration)
    case registrationRefused(text: String)
    /// Too many codes were shown or tried from this network.
    case aliasLimit(retryAfter: Duration?)
    /// Another device shows the same digits.
    case aliasTaken
    case proofFailed
    case proofRequired
    case keyMismatch
    case messageTooLong(bytes: Int, limit: Int)
    /// The server or the other device takes no binary frames, but it takes JSON.
    case binaryUnavailable

    public var description: String {
        switch self {
        case .unsupportedURL(let url):
            "\(url) is not the address of a signaling server. It starts with wss:// or, at home, ws://."
        case .insecureURL(let host):
            "\(host) is not in this network, so ws:// would show everyone on the way who talks to whom. Use wss://."
        case .alreadyConnected(let url):
            "This device is connected to \(url). Disconnect before using another server."
        case .alreadyRegistered(let id):
            "This device is registered as \(id). Disconnect before using another id."
        case .notConnected:
            "There is no connection to the server. Check the network; it comes back by itself."
        case .connectionLost:
            "The connection to the server was lost. It comes back by itself; check the network if it does not."
        case .replacedByAnother:
            "Another program of this device took its place at the server. End that one; this one tries again in a minute."
        case .notRegistered:
            "The server does not know this device yet. Try again in a moment."
        case .timedOut(let limit):
            "The server did not answer within \(limit). Check the address and the network."
        case .registrationRefused(let text):
            "The server refused to register this device: \(text)."
        case .aliasLimit:
            "Too many codes were shown or tried from this network. Wait a minute; it is tried again by itself."
        case .aliasTaken:
            "Another device shows the same digits at this server. Make a new code."
        case .proofFailed:
            "The server did not accept this device's signature. Check that the address is the one in the invitation."
        case .proofRequired:
            "The server wants this device to prove who it is. Update this program."
        case .keyMismatch:
            "The server knows this id with another key. If this device was set up anew, ask who runs the server."
        case .messageTooLong(let bytes, let limit):
            "A message of \(bytes) bytes is above the limit of \(limit). Send it in smaller parts."
        case .binaryUnavailable:
            "The other device takes no binary messages."
        }
    }

    /// Whether another try can only succeed after a change at the server.
    var isFinal: Bool {
        switch self {
        case .proofRequired, .keyMismatch: true
        default: false
        }
    }
}
