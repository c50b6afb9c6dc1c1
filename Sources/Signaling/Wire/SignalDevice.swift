public import Kernel

/// A device's description of itself in its registration.
public struct SignalDevice: Hashable, Sendable {
    /// The kind of device. An open set; `DESKTOP` was seen as well as `desktop`.
    public enum Category: Hashable, Sendable, RawRepresentable {
        case mobile, desktop
        case unknown(String)

        public init(rawValue: String) {
            switch rawValue.lowercased() {
            case "mobile": self = .mobile
            case "desktop": self = .desktop
            default: self = .unknown(rawValue)
            }
        }

        public var rawValue: String {
            switch self {
            case .mobile: "mobile"
            case .desktop: "desktop"
            case .unknown(let text): text
            }
        }
    }

    /// `deviceType`: phone, computer, or another kind that the device names.
    public var category: Category
    /// Free fields; programs send `name`, `platform`, `version` and `role`.
    public var info: [String: JSONValue]

    public init(category: Category, info: [String: JSONValue] = [:]) {
        self.category = category
        self.info = info
    }

    public init(category: Category, name: String, platform: String, version: String, role: String? = nil) {
        self.category = category
        info = ["name": .string(name), "platform": .string(platform), "version": .string(version)]
        if let role { info["role"] = .string(role) }
    }

    /// `name` of its information, for people; nil where it is no text.
    public var name: String? { info["name"]?.stringValue }
    /// `platform` of its information; nil where it is no text.
    public var platform: String? { info["platform"]?.stringValue }
    /// `role` of its information, such as that of a connection that only holds a code's alias; nil where it is no text.
    public var role: String? { info["role"]?.stringValue }

    /// Nil when the frame says nothing about the device.
    init?(_ frame: JSONValue) {
        let category = frame["deviceType"]?.stringValue
        let info = frame["deviceInfo"]?.objectValue
        guard category != nil || info != nil else { return nil }
        self.category = Category(rawValue: category ?? "unknown")
        self.info = info ?? [:]
    }
}
