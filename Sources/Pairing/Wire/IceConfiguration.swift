public import Kernel

/// ICE servers for direct connections, pushed by the computer after pairing and again before they expire.
/// Source: `docs/protocol.md`, "ICE servers".
public struct IceConfiguration: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "chainlesschain:ice:config"

    /// The id of the computer that sent them.
    public var pcPeerID: String
    /// The ICE servers as the computer sent them, including fields that this version does not know.
    public var iceServers: [JSONValue]
    /// When the servers expire, in seconds since 1970; 0 when they do not.
    public var expirySeconds: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z, by the sender's clock.
    public var sentAtMilliseconds: Int64

    public init(pcPeerID: String, iceServers: [JSONValue], expirySeconds: Int64, sentAtMilliseconds: Int64) {
        self.pcPeerID = pcPeerID
        self.iceServers = iceServers
        self.expirySeconds = expirySeconds
        self.sentAtMilliseconds = sentAtMilliseconds
    }

    /// Whether the list may be kept: it is bounded and holds only STUN and TURN servers.
    var isUsable: Bool {
        (1...16).contains(iceServers.count)
            && iceServers.allSatisfy { server in
                let urls = server["urls"]?.arrayValue ?? [server["urls"] ?? server["url"] ?? .null]
                return (1...16).contains(urls.count)
                    && urls.allSatisfy { url in
                        ["stun:", "stuns:", "turn:", "turns:"].contains { url.stringValue?.hasPrefix($0) ?? false }
                    }
            }
    }

    /// Reads the servers without `Decodable`, which would throw an error for each wrong guess of a value's shape, thousands for one
    /// message.
    init(parsing message: JSONValue) throws(PairingError) {
        guard let payload = message["payload"], let id = payload["pcPeerId"]?.liberalText,
            let servers = payload["iceServers"]?.arrayValue
        else { throw .malformedMessage(type: Self.type) }
        pcPeerID = id
        iceServers = servers
        expirySeconds = payload["iceExpiry"]?.liberalInteger ?? 0
        sentAtMilliseconds = payload["timestamp"]?.liberalInteger ?? 0
    }

    public init(from decoder: any Decoder) throws { try self.init(parsing: JSONValue(from: decoder)) }

    public func encode(to encoder: any Encoder) throws {
        let payload: JSONValue = [
            "pcPeerId": .string(pcPeerID), "iceServers": .array(iceServers), "iceExpiry": .integer(expirySeconds),
            "timestamp": .integer(sentAtMilliseconds),
        ]
        try (["type": .string(Self.type), "payload": payload] as JSONValue).encode(to: encoder)
    }
}
