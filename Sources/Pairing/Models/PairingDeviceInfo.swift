/// What a device says about itself in the clear. Source: `docs/protocol.md`, "Pairing".
public struct PairingDeviceInfo: Hashable, Codable, Sendable {
    /// Phones send it; a desktop's id travels as `pcPeerId`.
    public var deviceID: String?
    /// What its person calls it; may be empty, and is not cleaned for showing, see ``checked``.
    public var name: String
    /// Its operating system.
    public var platform: PairingPlatform
    /// Desktops send it.
    public var version: String?

    public init(deviceID: String? = nil, name: String, platform: PairingPlatform, version: String? = nil) {
        self.deviceID = deviceID
        self.name = name
        self.platform = platform
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case deviceID = "deviceId"
        case name, platform, version
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Running programs leave any of them out; none of them decides anything.
        deviceID = container.liberalText(forKey: .deviceID)
        name = container.liberalText(forKey: .name) ?? ""
        platform = PairingPlatform(rawValue: container.liberalText(forKey: .platform) ?? "")
        version = container.liberalText(forKey: .version)
    }

    /// The same with a name that every server and every code has room for: the most that the other side shows of it.
    public var bounded: PairingDeviceInfo {
        var bounded = self
        bounded.name = PeerText.shortened(String(name.prefix(128)), toBytes: 512)
        return bounded
    }

    /// The same with a name that may be shown, and nothing that may not be stored.
    public var checked: PairingDeviceInfo {
        PairingDeviceInfo(
            deviceID: deviceID.flatMap { PeerText.isIdentifier($0) ? $0 : nil },
            name: PeerText.name(name),
            platform: PeerText.isIdentifier(platform.rawValue) ? platform : .other(""),
            version: version.flatMap { PeerText.isIdentifier($0) ? $0 : nil }
        )
    }
}
