/// The system a device runs. An open set: a value that this version does not know survives decoding and encoding.
public enum PairingPlatform: Hashable, Codable, Sendable, RawRepresentable {
    case iOS, android, macOS, windows, linux
    case other(String)

    private static let known: [String: PairingPlatform] = [
        "ios": .iOS, "android": .android, "darwin": .macOS, "win32": .windows, "linux": .linux,
    ]

    public init(rawValue: String) { self = Self.known[rawValue] ?? .other(rawValue) }

    public var rawValue: String {
        switch self {
        case .iOS: "ios"
        case .android: "android"
        case .macOS: "darwin"
        case .windows: "win32"
        case .linux: "linux"
        case .other(let name): name
        }
    }

    /// The system this program was built for.
    public static var current: PairingPlatform {
        #if os(iOS)
            .iOS
        #elseif os(macOS)
            .macOS
        #elseif os(Windows)
            .windows
        #else
            .linux
        #endif
    }
}
