public import Sealing

/// A device that advertises itself on the network. Any device there can claim to be any other: only a session with the
/// stored key proves it.
public struct DiscoveredService: Hashable, Sendable {
    /// Addresses kept of one device.
    public static let addressLimit = 8

    /// The computer's id at signaling servers, as it announces it; any device on the network can announce any.
    public let deviceID: String
    /// The DID that it claims; nothing is proven by it.
    public let did: DID
    /// The name for people; two devices with the same name are told apart by the system, as "studio-pc" and "studio-pc #2".
    public let name: String
    /// IPv4 first, then IPv6, link-local ones with their zone, as in `fe80::1%eth0`.
    public let addresses: [String]
    /// Where its server listens, 1 to 65535.
    public let port: UInt16
    /// The path of its server's WebSocket; `/` for the root.
    public let path: String

    package init(record: ServiceRecord, name: String, addresses: [String], port: UInt16) {
        deviceID = record.deviceID
        did = record.did
        path = record.path
        self.name = name
        self.addresses = Array(Self.ordered(addresses).prefix(Self.addressLimit))
        self.port = port
    }

    /// A computer whose advertisement this program makes itself.
    package init(_ advertisement: ServiceAdvertisement, addresses: [String]) {
        deviceID = advertisement.deviceID
        did = advertisement.did
        path = "/"
        name = advertisement.name
        self.addresses = Array(Self.ordered(addresses).prefix(Self.addressLimit))
        port = advertisement.port
    }

    private static func ordered(_ addresses: [String]) -> [String] {
        Set(addresses).sorted { left, right in
            let (leftRank, rightRank) = (rank(left), rank(right))
            return leftRank == rightRank ? left < right : leftRank < rightRank
        }
    }

    private static func rank(_ address: String) -> Int {
        if !address.contains(":") { return 0 }
        return address.lowercased().hasPrefix("fe80") ? 2 : 1
    }
}
