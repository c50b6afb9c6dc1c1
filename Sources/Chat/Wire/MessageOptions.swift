import Kernel

/// What a server does with a message beside handing it over: switches by name, an open set. A switch that is not there is on.
public struct MessageOptions: Hashable, Sendable {
    /// The switches that are named, also those that this version does not know.
    public private(set) var switches: [String: Bool]

    public init(_ switches: [Switch: Bool] = [:]) {
        self.switches = Dictionary(uniqueKeysWithValues: switches.map { ($0.key.rawValue, $0.value) })
    }

    /// A known switch.
    public enum Switch: String, Hashable, Sendable, CaseIterable {
        /// It is found in the history.
        case history
        /// It is kept at all.
        case persistent
        /// Devices that are away are woken.
        case offlinePush
        case unreadCount
        /// It becomes the conversation's preview, and moves it up.
        case conversationUpdate
        case senderConversationUpdate
        /// The sender's other devices get it.
        case senderSync
        case notPrivate
    }

    /// Control messages (typing, a photo was viewed): nothing of them is kept, counted, shown or pushed. Source: rule B15.
    public static let control = MessageOptions(
        Dictionary(uniqueKeysWithValues: Switch.allCases.map { ($0, false) })
    )

    public func isOn(_ option: Switch) -> Bool { switches[option.rawValue] ?? true }

    init(wire: JSONValue?) {
        let members = WireMembers(wire?.objectValue ?? [:])
        switches = [:]
        for key in members.values.keys where switches.count < 64 { switches[key] = members.flag(key) }
    }

    var wire: JSONValue { .object(switches.mapValues { .bool($0) }) }
}
