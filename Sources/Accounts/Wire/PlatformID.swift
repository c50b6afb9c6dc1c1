/// The kind of device that a session is for, by OpenIM's numbers. An open set: a number that this version does not know survives a decode and
/// re-encode.
public struct PlatformID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The numbers that are taken from a client.
    public static let range = 1...99

    public static let iOS = PlatformID(rawValue: 1)
    public static let android = PlatformID(rawValue: 2)
    public static let windows = PlatformID(rawValue: 3)
    public static let macOS = PlatformID(rawValue: 4)
    public static let web = PlatformID(rawValue: 5)
    public static let miniWeb = PlatformID(rawValue: 6)
    public static let linux = PlatformID(rawValue: 7)
    public static let androidPad = PlatformID(rawValue: 8)
    public static let iPad = PlatformID(rawValue: 9)
    public static let admin = PlatformID(rawValue: 10)

    private static let names: [Int: String] = [
        1: "iOS", 2: "Android", 3: "Windows", 4: "macOS", 5: "Web", 6: "MiniWeb", 7: "Linux", 8: "AndroidPad",
        9: "iPad", 10: "Admin",
    ]

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The platform's name for people.
    public var description: String { Self.names[rawValue] ?? "platform \(rawValue)" }
}

extension PlatformID: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
