public import Transport

/// Why a client of the bridge is not connected. The description is shown to the person: what happened, then what to do.
public enum BridgeClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address would send the token to whoever answers there.
    case unsafeAddress(String)
    /// The computer does not know the token or code: a code is good once, for five minutes.
    case refused
    /// The token was taken back at the computer.
    case revoked
    /// Too many wrong tokens, or sockets.
    case tooMany
    /// The other end said nothing in time, or nothing that fits.
    case noHelloAck
    /// The connection could not be made.
    case unreachable(WebSocketError)
    /// The connection ended.
    case lost
    /// There is no connection now.
    case notConnected
    /// The answer did not come in time.
    case timedOut(after: Duration)
    /// So many requests have no answer yet.
    case tooManyWaiting(limit: Int)

    /// Whether trying again by itself can help.
    var isFinal: Bool {
        switch self {
        case .unsafeAddress, .refused, .revoked, .unreachable(.invalidURL): true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .unsafeAddress(let address):
            "\(address) was not connected to: the token would go there in the clear, or to a computer whose key is not known. "
                + "Scan the computer's code, or allow it for this network."
        case .refused:
            "The computer does not know this token, or the code was used or is too old. Make another one there: "
                + "tandem bridge token new"
        case .revoked: "The computer took this token back. Make another one there: tandem bridge token new"
        case .tooMany: "The computer takes no more connections from here now. It is tried again."
        case .noHelloAck, .unreachable(.notAWebSocketServer):
            "What answers at that address is no bridge. Check the address and the port."
        // A signaling server means something else by these statuses.
        case .unreachable(.refused(status: 403)):
            "The computer takes no connection without TLS from this network. Scan its code, or allow it there: bridgePlain."
        case .unreachable(.refused(status: 421)):
            "The computer does not know itself by this name. Use its address, or add the name there: bridgeNames."
        case .unreachable(.untrusted(let host, _)):
            "What answers at \(host) has another key than the code that was scanned. If the computer was set up anew, "
                + "scan a new one."
        case .unreachable(let error): "\(error)"
        case .lost: "The connection to the computer ended. It is tried again."
        case .notConnected: "There is no connection to the computer. Check that it is on and that both have a network."
        case .timedOut(let limit): "The computer did not answer within \(limit). Try again."
        case .tooManyWaiting(let limit): "\(limit) requests wait for an answer already. Wait for some of them."
        }
    }
}
