public import Commands
public import Kernel

/// The changes since a number.
public struct NotificationChanges: MethodAnswer, Hashable {
    /// A row that was new, shown again, read or deleted.
    public enum Change: Hashable, Sendable {
        case kept(RemoteNotification)
        case deleted(id: String, sequence: Int64)
    }

    /// Names the database that counts. Another one: the device begins from the start.
    public var epoch: String
    /// In the order of their numbers.
    public var changes: [Change]
    /// The number that this answer reaches to, also where some numbers in between are not this device's.
    public var reached: Int64
    /// There is more after ``reached``.
    public var hasMore: Bool
    /// The asker's number is not of this epoch: what follows is everything there is, and what it has besides is gone.
    public var isFromStart: Bool
    public var unreadCount: Int
    /// The last number that is no news for the asker: an ``RemoteNotification/alert`` up to here was there before the device was paired, or
    /// was on the device once. Given to an asker whose number is none of this epoch's, or is below this one. Nil for every other asker, and
    /// from a computer that does not know.
    public var history: Int64?

    public init(
        epoch: String,
        changes: [Change],
        reached: Int64,
        hasMore: Bool,
        isFromStart: Bool,
        unreadCount: Int,
        history: Int64? = nil
    ) {
        self.epoch = epoch
        self.changes = changes
        self.reached = reached
        self.hasMore = hasMore
        self.isFromStart = isFromStart
        self.unreadCount = unreadCount
        self.history = history
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let epoch = members.text("epoch"), !epoch.isEmpty, epoch.utf8.count <= NotificationLimits.name,
            let reached = members.integer("reached"), reached >= 0, let list = members.list("changes")
        else { throw .malformedResult }
        self.epoch = epoch
        self.reached = reached
        changes = list.compactMap { Change(wire: $0) }
        hasMore = members.flag("more") ?? false
        isFromStart = members.flag("fromStart") ?? false
        unreadCount = members.count("unreadCount") ?? 0
        history = members.integer("history").map { max(0, $0) }
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "success": true, "epoch": .string(epoch), "changes": .array(changes.map(\.wire)),
            "reached": .integer(reached), "more": .bool(hasMore), "fromStart": .bool(isFromStart),
            "unreadCount": .integer(Int64(unreadCount)),
        ]
        members["history"] = history.map(JSONValue.integer)
        return .object(members)
    }
}

extension NotificationChanges.Change {
    /// Nil for what is neither.
    public init?(wire: JSONValue) {
        if wire["deleted"]?.boolValue == true {
            guard let members = try? AnswerMembers(wire), let id = members.text("id", "notificationId"), !id.isEmpty,
                id.utf8.count <= NotificationLimits.name, let sequence = members.integer("sequence")
            else { return nil }
            self = .deleted(id: id, sequence: sequence)
        } else {
            guard let notification = RemoteNotification(wire: wire), notification.sequence != nil else { return nil }
            self = .kept(notification)
        }
    }

    package var wire: JSONValue {
        switch self {
        case .kept(let notification): notification.wire
        case .deleted(let id, let sequence): ["id": .string(id), "sequence": .integer(sequence), "deleted": true]
        }
    }
}
