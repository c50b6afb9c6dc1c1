import Foundation
public import Kernel

/// The message in which a computer says where it is reached. It is sent inside the sealed session only. Source: `docs/protocol.md` 2.6.
public struct DeviceAddresses: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "tandem:addresses"
    /// The largest number of addresses of each kind that are read; more are left out.
    public static let limit = 4

    /// Addresses of the computer's own server, best first.
    public let lan: [SignalingAddress]
    /// Hubs where it is registered.
    public let relays: [SignalingAddress]

    public init(lan: [SignalingAddress], relays: [SignalingAddress]) {
        self.lan = Array(lan.prefix(Self.limit))
        self.relays = Array(relays.prefix(Self.limit))
    }

    /// Nil for another message. Texts that are no usable address are left out.
    public init?(message: JSONValue) {
        guard message["type"]?.stringValue == Self.type else { return nil }
        func addresses(_ key: String) -> [SignalingAddress] {
            let texts = message["payload"]?[key]?.arrayValue?.prefix(Self.limit) ?? []
            var addresses: [SignalingAddress] = []
            for text in texts.compactMap(\.stringValue) {
                guard let address = try? SignalingAddress(text), !addresses.contains(address) else { continue }
                addresses.append(address)
            }
            return addresses
        }
        lan = addresses("lan")
        relays = addresses("relay")
    }

    /// The message that carries the addresses.
    public var message: JSONValue {
        func texts(_ addresses: [SignalingAddress]) -> JSONValue {
            .array(addresses.map { .string($0.url.absoluteString) })
        }
        return ["type": .string(Self.type), "payload": ["lan": texts(lan), "relay": texts(relays)]]
    }
}
