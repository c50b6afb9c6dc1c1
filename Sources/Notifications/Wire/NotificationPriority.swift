/// How much a notification wants to be noticed. Raw values are the wire's.
public enum NotificationPriority: String, Hashable, Sendable, CaseIterable, Codable, Comparable {
    case low, normal, high, urgent

    /// Any word of any program: one that is not known is normal. Desktops say critical for what is urgent.
    public init(word: String?) {
        self = word == Self.critical ? .urgent : word.flatMap(Self.init(rawValue:)) ?? .normal
    }

    private static let critical = "critical"

    /// The word that existing programs keep as `urgency`.
    var urgency: String { self == .urgent ? Self.critical : rawValue }

    public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        case .urgent: 3
        }
    }
}

/// Where a notification comes from. Raw values are the wire's `source`.
public enum NotificationOrigin: String, Hashable, Sendable, CaseIterable, Codable {
    /// The computer and its programs.
    case computer = "pc"
    /// A phone or another device.
    case phone = "mobile"
}
