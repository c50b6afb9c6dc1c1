public import Commands
import Foundation
public import Kernel
import Pictures

/// The answer to `notification.send`.
public struct NotificationSent: MethodAnswer, Hashable {
    /// Nil where it was not kept.
    public var id: String?
    /// Quiet hours: it is in the history and was not shown.
    public var isSilenced: Bool
    /// Ours: whether it was handed to the computer's desktop, where a person sees it. Nil where the computer does not say.
    public var isShown: Bool?
    /// In a sentence, why it was not done.
    public var reason: String?
    /// Milliseconds since 1970.
    public var timestamp: Int64?

    public init(
        id: String?,
        isSilenced: Bool = false,
        isShown: Bool? = nil,
        reason: String? = nil,
        timestamp: Int64? = nil
    ) {
        self.id = id
        self.isSilenced = isSilenced
        self.isShown = isShown
        self.reason = reason
        self.timestamp = timestamp
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        id = members.text("notificationId", "id")
        // Existing programs drop what comes in quiet hours, and say so as a failure.
        isSilenced = members.flag("silenced") ?? (members.text("reason") == "quiet_hours")
        isShown = members.flag("shown")
        let reason = members.text("error", "reason")
        self.reason =
            switch reason {
            case "quiet_hours":
                "It is quiet hours at the computer, so it showed nothing and kept nothing. Send it again later."
            case "type_disabled":
                "The computer's settings leave out notifications of this kind. Change them there."
            default: reason
            }
        timestamp = members.integer("timestamp")
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["success": .bool(reason == nil), "silenced": .bool(isSilenced)]
        members["notificationId"] = id.map(JSONValue.string)
        members["id"] = members["notificationId"]
        members["shown"] = isShown.map(JSONValue.bool)
        members["error"] = reason.map(JSONValue.string)
        members["timestamp"] = timestamp.map(JSONValue.integer)
        return .object(members)
    }
}

/// The answer to `notification.sendToMobile` and to `notification.broadcast`.
public struct NotificationDelivery: MethodAnswer, Hashable {
    /// Phones that were told, or for which it waits.
    public var deliveredCount: Int
    /// Phones that cannot be told.
    public var failedCount: Int
    /// The phone, where it went to one.
    public var device: String?
    public var id: String?
    /// In a sentence, why it went to none.
    public var reason: String?
    /// The computer took it and does not say whom it told, as existing programs do.
    public var isHandedOver = false
    /// Milliseconds since 1970.
    public var timestamp: Int64?

    public init(
        deliveredCount: Int,
        failedCount: Int = 0,
        device: String? = nil,
        id: String? = nil,
        reason: String? = nil,
        timestamp: Int64? = nil
    ) {
        self.deliveredCount = deliveredCount
        self.failedCount = failedCount
        self.device = device
        self.id = id
        self.reason = reason
        self.timestamp = timestamp
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        let isDelivered = members.flag("delivered") ?? false
        deliveredCount = members.count("deliveredCount") ?? (isDelivered ? 1 : 0)
        failedCount = members.count("failedCount") ?? 0
        isHandedOver =
            members.flag("success") == true && members.flag("delivered") == nil && deliveredCount == 0
            && failedCount == 0
        device = members.text("deviceId")
        id = members.text("notificationId", "id")
        reason = members.text("error")
        timestamp = members.integer("timestamp")
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "success": .bool(reason == nil), "delivered": .bool(deliveredCount > 0),
            "deliveredCount": .integer(Int64(deliveredCount)), "failedCount": .integer(Int64(failedCount)),
        ]
        members["deviceId"] = device.map(JSONValue.string)
        members["notificationId"] = id.map(JSONValue.string)
        members["id"] = members["notificationId"]
        members["error"] = reason.map(JSONValue.string)
        members["timestamp"] = timestamp.map(JSONValue.integer)
        return .object(members)
    }
}

/// A page of the history, the newest first.
public struct NotificationHistory: MethodAnswer, Hashable {
    public var notifications: [RemoteNotification]
    /// How many there are that were asked for.
    public var total: Int
    /// The number of unread ones among all that are not deleted.
    public var unreadCount: Int
    /// The last change that the computer had counted: what is there up to here is all that the asker can have seen, for
    /// ``NotificationMark/allRead(upTo:)`` and ``NotificationMark/cleared(upTo:)``. Nil from a computer that counts nothing.
    public var upTo: Int64?
    /// Ours: there are older ones, also where long texts made this page shorter than was asked for. Nil from a computer that does not say.
    public var hasMore: Bool?

    public init(
        notifications: [RemoteNotification],
        total: Int,
        unreadCount: Int,
        upTo: Int64? = nil,
        hasMore: Bool? = nil
    ) {
        self.notifications = notifications
        self.total = total
        self.unreadCount = unreadCount
        self.upTo = upTo
        self.hasMore = hasMore
    }

    /// Items without an id, a title or a body are passed over.
    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("notifications", "items") else { throw .malformedResult }
        // Existing programs write null for an empty text into their rows. In documented items a body has to be there.
        let areRows = members.list("notifications") == nil
        notifications = list.compactMap { RemoteNotification(wire: $0, mayLackBody: areRows) }
        total = max(members.count("total") ?? 0, notifications.count)
        unreadCount = members.count("unreadCount") ?? notifications.count { !$0.isRead }
        upTo = members.integer("upTo")
        hasMore = members.flag("more")
    }

    public var wire: JSONValue {
        let items = JSONValue.array(notifications.map(\.wire))
        var members: [String: JSONValue] = [
            "success": true, "notifications": items, "items": items, "total": .integer(Int64(total)),
            "unreadCount": .integer(Int64(unreadCount)),
        ]
        members["upTo"] = upTo.map(JSONValue.integer)
        members["more"] = hasMore.map(JSONValue.bool)
        return .object(members)
    }
}

/// How many were marked or cleared.
public struct NotificationCount: MethodAnswer, Hashable {
    /// The ``reason`` of a computer that has none of those that were named.
    package static let notFound = "NOT_FOUND"

    public var count: Int
    /// In a sentence, or the documented `NOT_FOUND`, why none was.
    public var reason: String?

    public init(_ count: Int, reason: String? = nil) {
        self.count = count
        self.reason = reason
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        // An existing program answers "all".
        count = members.count("markedCount", "clearedCount", "deletedCount", "count") ?? 0
        reason = members.flag("success") == false ? members.text("error") ?? "" : nil
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["success": .bool(reason == nil)]
        for name in ["markedCount", "clearedCount", "deletedCount", "count"] { members[name] = .integer(Int64(count)) }
        members["error"] = reason.map(JSONValue.string)
        return .object(members)
    }
}

/// The settings after a change.
public struct NotificationSettingsSaved: MethodAnswer, Hashable {
    /// Nil where the computer only says that it was done, or not.
    public var settings: NotificationSettings?
    /// In a sentence, why it was not done.
    public var reason: String?

    public init(_ settings: NotificationSettings) { self.settings = settings }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        // Existing programs put them beside `success`, or leave them out.
        let isThere = ["settings", "enabled", "quietHours", "quietHoursEnabled"].contains { members.value($0) != nil }
        settings = isThere ? try NotificationSettings(wire: wire) : nil
        reason = members.flag("success") == false ? members.text("error", "reason") ?? "" : nil
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["success": .bool(reason == nil)]
        members["settings"] = settings?.wire
        members["error"] = reason.map(JSONValue.string)
        return .object(members)
    }
}

/// A notification's picture.
public struct NotificationPicture: MethodAnswer, Hashable {
    /// The content of a PNG or JPEG file, at most ``NotificationLimits/image`` bytes.
    public var bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let text = try AnswerMembers(wire).text("image"), text.utf8.count <= NotificationLimits.image * 2,
            let bytes = [UInt8](base64OrDataURL: text), bytes.count <= NotificationLimits.image
        else { throw .malformedResult }
        self.bytes = bytes
    }

    public var wire: JSONValue { ["success": true, "image": .string(Data(bytes).base64EncodedString())] }
}

/// A program that showed something on the computer's desktop.
public struct NotificationProgram: Hashable, Sendable {
    public var name: String
    public var isAllowed: Bool
    /// How many of it the history has.
    public var count: Int
    /// Milliseconds since 1970; nil where the history has none.
    public var lastAt: Int64?

    public init(name: String, isAllowed: Bool, count: Int, lastAt: Int64?) {
        self.name = name
        self.isAllowed = isAllowed
        self.count = count
        self.lastAt = lastAt
    }
}

/// The programs whose notifications can be told or not, the latest first.
public struct NotificationPrograms: MethodAnswer, Hashable {
    public var programs: [NotificationProgram]
    /// Whether what programs show can be read here at all; else ``reason`` says why not, in a sentence.
    public var isAvailable: Bool
    public var reason: String?
    /// Whether buttons can be pressed from afar with the desktop's service that runs now; ``reason`` may say why not.
    public var canAct: Bool

    public init(programs: [NotificationProgram], isAvailable: Bool, reason: String? = nil, canAct: Bool = false) {
        self.programs = programs
        self.isAvailable = isAvailable
        self.reason = reason
        self.canAct = canAct
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("sources") else { throw .malformedResult }
        programs = list.compactMap { each in
            guard let members = try? AnswerMembers(each), let name = members.text("app"), !name.isEmpty else {
                return nil
            }
            return NotificationProgram(
                name: name.cut(to: NotificationLimits.name),
                isAllowed: members.flag("allowed") ?? true,
                count: members.count("count") ?? 0,
                lastAt: members.integer("lastAt")
            )
        }
        isAvailable = members.flag("available") ?? true
        reason = members.text("reason")
        canAct = members.flag("canAct") ?? false
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "success": true, "available": .bool(isAvailable), "canAct": .bool(canAct),
            "sources": .array(
                programs.map { program in
                    var members: [String: JSONValue] = [
                        "app": .string(program.name), "allowed": .bool(program.isAllowed),
                        "count": .integer(Int64(program.count)),
                    ]
                    members["lastAt"] = program.lastAt.map(JSONValue.integer)
                    return .object(members)
                }
            ),
        ]
        members["reason"] = reason.map(JSONValue.string)
        return .object(members)
    }
}
