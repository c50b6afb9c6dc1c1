public import Commands
import Kernel

/// An event of a computer's notifications.
public struct NotificationEvent: Hashable, Sendable {
    /// The kind of event, and its notification.
    public enum Kind: Hashable, Sendable {
        /// New, or wants to be noticed again.
        case received(RemoteNotification)
        /// Read, or another text, without wanting to be noticed.
        case changed(RemoteNotification)
        case deleted(id: String)
    }

    public var kind: Kind
    /// The epoch of the computer's database; nil from programs that do not number changes.
    public var epoch: String?
    /// The change's number; nil from programs that count nothing.
    public var sequence: Int64?
    /// How many are unread at the computer; nil from programs that do not say.
    public var unreadCount: Int?

    public init(_ kind: Kind, epoch: String? = nil, sequence: Int64? = nil, unreadCount: Int? = nil) {
        self.kind = kind
        self.epoch = epoch
        self.sequence = sequence
        self.unreadCount = unreadCount
    }

    /// The name under which some programs send the documented push.
    private static let otherName = "chainlesschain:notification:received"

    /// Nil for another event, and for one without an id, a title or a body.
    public init?(_ event: RemoteEvent) {
        guard let members = try? AnswerMembers(.object(event.members)) else { return nil }
        let wire = JSONValue.object(event.members)
        if event.isOf(.notificationReceived) || event.name == Self.otherName {
            guard let notification = RemoteNotification(wire: wire) else { return nil }
            kind = .received(notification)
        } else if event.isOf(.notificationChanged) {
            guard let change = NotificationChanges.Change(wire: wire) else { return nil }
            switch change {
            case .kept(let notification): kind = .changed(notification)
            case .deleted(let id, _): kind = .deleted(id: id)
            }
        } else {
            return nil
        }
        epoch = members.text("epoch")
        sequence = members.integer("sequence")
        unreadCount = members.count("unreadCount")
    }

    /// The wire form: the documented members of a push, and ours beside them.
    package var event: RemoteEvent {
        var members: [String: JSONValue]
        let name: EventKind
        switch kind {
        case .received(let notification):
            name = .notificationReceived
            members = notification.members
            members["notificationId"] = members.removeValue(forKey: "id")
            members["timestamp"] = .integer(notification.createdAt)
            members["silenced"] = .bool(notification.isSilenced)
        case .changed(let notification):
            name = .notificationChanged
            members = notification.members
        case .deleted(let id):
            name = .notificationChanged
            members = ["id": .string(id), "deleted": true]
        }
        members["epoch"] = epoch.map(JSONValue.string)
        members["sequence"] = sequence.map(JSONValue.integer)
        members["unreadCount"] = unreadCount.map { .integer(Int64($0)) }
        return RemoteEvent(name, members)
    }
}
