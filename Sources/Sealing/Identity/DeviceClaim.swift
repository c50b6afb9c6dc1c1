/// A device's description of itself inside a handshake. The fields are claims: the values that the device wants shown.
public struct DeviceClaim: Hashable, Codable, Sendable {
    /// The device's own id, 1 to 256 bytes of UTF-8.
    public var id: String
    /// The name to show, at most 512 bytes of UTF-8.
    public var name: String
    /// `ios`, `darwin`, `linux` and others; an open set.
    public var platform: String
    /// The version of the program, at most 64 bytes; empty when the device does not say.
    public var version: String

    public init(id: String, name: String, platform: String, version: String) {
        self.id = id
        self.name = name
        self.platform = platform
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case id, name, platform, version
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        // These fields were added to the documented form later, so a device without them is not refused.
        platform = try container.decodeIfPresent(String.self, forKey: .platform) ?? ""
        version = try container.decodeIfPresent(String.self, forKey: .version) ?? ""
    }

    /// Whether the values are short enough to be stored and shown.
    var isWithinBounds: Bool {
        (1...256).contains(id.utf8.count) && name.utf8.count <= 512 && platform.utf8.count <= 64
            && version.utf8.count <= 64
    }
}
