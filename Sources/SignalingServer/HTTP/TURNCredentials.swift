import Crypto
import Foundation
import Kernel

/// A phone's TURN credentials for calls across networks, by coturn's REST scheme.
struct TURNCredentials: Codable, Hashable, Sendable {
    struct Server: Codable, Hashable, Sendable {
        var urls: [String]
        var username: String?
        var credential: String?
    }

    var iceServers: [Server]
    /// Seconds.
    var ttl: Int64
    /// Seconds since 1970, 0 without a TURN server.
    var expiry: Int64

    init(_ turn: TURNConfiguration?, user: String, now: Date) {
        guard let turn else {
            iceServers = [Server(urls: ["stun:stun.l.google.com:19302", "stun:stun1.l.google.com:19302"])]
            ttl = 0
            expiry = 0
            return
        }
        ttl = turn.lifetime.components.seconds
        expiry = Int64(now.timeIntervalSince1970) + ttl
        let username = "\(expiry):\(user)"
        let code = HMAC<Insecure.SHA1>.authenticationCode(
            for: Data(username.utf8),
            using: SymmetricKey(data: turn.secret)
        )
        iceServers = [
            Server(urls: ["stun:\(turn.host):3478"]),
            Server(
                urls: [
                    "turn:\(turn.host):3478?transport=udp", "turn:\(turn.host):3478?transport=tcp",
                    "turns:\(turn.host):5349",
                ],
                username: username,
                credential: Data(code).base64EncodedString()
            ),
        ]
    }
}
