/// A device's description of itself, sent in the clear. Source: `docs/protocol.md`, "Pairing".
public struct PairingDeviceInfo: Hashable, Codable, Sendable {
    /// The device's id. Only phones send it; a desktop's id travels as `pcPeerId`.
    public var deviceID: String?
    /// The name that its owner gave it; may be empty, and is not cleaned for showing, see ``checked``.
    public var name: String
    /// Its operating system.
    public var platform: PairingPlatform
    /// The program's version; only desktops send it.
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
        // Running programs leave any of these out, and no decision depends on them.
        deviceID = container.liberalText(forKey: .deviceID)
        name = container.liberalText(forKey: .name) ?? ""
        platform = PairingPlatform(rawValue: container.liberalText(forKey: .platform) ?? "")
        version = container.liberalText(forKey: .version)
    }

    /// This description with its name cut to 128 characters and 512 bytes: every server and every code has room for that, and
    /// the other side shows no more of it.
    public var bounded: PairingDeviceInfo {
        var bounded = self
        bounded.name = PeerText.shortened(String(name.prefix(128)), toBytes: 512)
        return bounded
    }

    /// The platform for storing and showing. Nothing is decided by it, so one that is no identifier, such as `iPhone OS`, is cleaned like a
    /// name.
    var shownPlatform: PairingPlatform {
        guard !PeerText.isIdentifier(platform.rawValue) else { return platform }
        return PairingPlatform(rawValue: PeerText.words(platform.rawValue) ?? "")
    }

    /// This description with its name cleaned for showing, and without values that may not be stored.
    public var checked: PairingDeviceInfo {
        PairingDeviceInfo(
            deviceID: deviceID.flatMap { PeerText.isIdentifier($0) ? $0 : nil },
            name: PeerText.name(name),
            platform: shownPlatform,
            version: version.flatMap { PeerText.isIdentifier($0) ? $0 : nil }
        )
    }
}
