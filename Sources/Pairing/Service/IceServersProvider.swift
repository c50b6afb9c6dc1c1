import Crypto
public import Foundation
public import Kernel

/// Makes the list of ICE servers that a phone gets for direct connections: a TURN server with REST credentials where there
/// is a secret, else STUN only. Source: `docs/protocol.md`, "ICE servers".
public struct IceServersProvider: Sendable {
    /// The ICE servers for one phone.
    public struct Servers: Hashable, Sendable {
        /// The JSON array of `RTCIceServer` objects.
        public let list: [JSONValue]
        /// When the servers expire, in seconds since 1970; 0 when they do not.
        public let expirySeconds: Int64
    }

    /// The lifetime of the credentials, a day.
    static let lifetimeSeconds: Int64 = 86_400

    private let turn: (host: String, secret: [UInt8])?
    private let stunURLs: [String]

    /// - Parameters:
    ///   - turnHost: A coturn server's name, without a port.
    ///   - turnSecret: Its `static-auth-secret`; without it there is STUN only.
    ///   - stunURLs: The servers to give where there is no TURN server.
    public init(turnHost: String? = nil, turnSecret: [UInt8]? = nil, stunURLs: [String] = Self.publicSTUN) {
        if let turnHost, let turnSecret, !turnSecret.isEmpty {
            turn = (turnHost, turnSecret)
        } else {
            turn = nil
        }
        self.stunURLs = stunURLs
    }

    public static let publicSTUN = ["stun:stun.l.google.com:19302", "stun:stun1.l.google.com:19302"]

    /// - Parameter userID: The id that the credentials are for; the TURN server logs it.
    public func servers(for userID: String, now: Date) -> Servers {
        guard let turn else {
            return Servers(list: stunURLs.map { ["urls": [.string($0)]] }, expirySeconds: 0)
        }
        let expiry = now.millisecondsSince1970 / 1000 + Self.lifetimeSeconds
        let username = "\(expiry):\(userID)"
        // coturn checks SHA-1, which is still secure as a MAC.
        let code = HMAC<Insecure.SHA1>.authenticationCode(
            for: Data(username.utf8),
            using: SymmetricKey(data: turn.secret)
        )
        let credential = Data(code).base64EncodedString()
        let relays = [
            "turn:\(turn.host):3478?transport=udp", "turn:\(turn.host):3478?transport=tcp", "turns:\(turn.host):5349",
        ]
        return Servers(
            list: [["urls": [.string("stun:\(turn.host):3478")]]]
                + relays.map {
                    ["urls": [.string($0)], "username": .string(username), "credential": .string(credential)]
                },
            expirySeconds: expiry
        )
    }
}
