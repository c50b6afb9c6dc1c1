public import Kernel

/// One message of the bridge after its handshake: a JSON text in one frame. Source: `docs/protocol.md` 2.8, "The bridge".
public enum BridgeMessage: Hashable, Sendable {
    /// The port that documented programs listen on.
    public static let port: Int = 9099

    case ping
    case pong
    case helloAck(BridgeHelloAck)
    /// Any other message: its type as it came, and what it carries; null where it carries nothing.
    case envelope(type: String, data: JSONValue)

    /// The longest type that is looked at, in bytes.
    static let typeLimit = 160

    /// Reads a message of either end. Types are told without regard to case and to spaces around them.
    ///
    /// - Returns: Nil for what is no JSON object with a type.
    public init?(_ bytes: some Sequence<UInt8>) {
        guard let value = try? JSONValue(parsing: bytes), let members = value.objectValue,
            let type = members["type"]?.stringValue, type.utf8.count <= Self.typeLimit
        else { return nil }
        switch Self.normal(type) {
        case "ping": self = .ping
        case "pong": self = .pong
        case "helloack": self = .helloAck(BridgeHelloAck(members))
        default: self = .envelope(type: type, data: members["data"] ?? .null)
        }
    }

    /// The wire form, in the documented case and order of members.
    public var bytes: [UInt8] {
        switch self {
        case .ping: Array(#"{"type":"Ping"}"#.utf8)
        case .pong: Array(#"{"type":"Pong"}"#.utf8)
        case .helloAck(let ack): ack.bytes
        case .envelope(let type, let data): Self.object([("type", .string(type)), ("data", data)])
        }
    }

    /// How types are compared: in lower case, without spaces around them.
    static func normal(_ type: String) -> String {
        String(
            type.lowercased().trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace)
                .reversed()
        )
    }

    /// An object with its members in this order.
    static func object(_ members: [(String, JSONValue)]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, (key, value)) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.appendQuoted(key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            bytes += value.canonicalBytes
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
