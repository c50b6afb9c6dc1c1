public import CommandClient
public import Control
public import Kernel

/// The control methods and streams of notifications, for commands and pages: of a phone about its computers and of a computer about itself.
public enum NotificationsControl {
    /// Told after each change: its data are `{device}`, or on a phone `{"local": true}` where ``local`` changed something.
    public static let topic = "notifications"

    /// One of the feature's methods.
    public static let call = ControlMethod<MethodCall, JSONValue>(
        "notifications.call",
        summary: "Call one of the methods of notifications."
    )
    public static let list = ControlMethod<List, JSONValue>(
        "notifications.list",
        summary:
            "Notifications, the newest first: on a phone those that it keeps of its computers. Of one computer it answers `upTo`, too, which is for mark and clear."
    )
    public static let mark = ControlMethod<Mark, Marked>(
        "notifications.mark",
        summary: "Mark notifications read, now or when the computer is there."
    )
    public static let delete = ControlMethod<Delete, Marked>(
        "notifications.delete",
        summary: "Delete notifications, now or when the computer is there."
    )
    public static let clear = ControlMethod<Clear, Marked>(
        "notifications.clear",
        summary: "Delete all notifications of a computer, now or when it is there."
    )
    public static let unread = ControlMethod<NoControlParameters, Unread>(
        "notifications.unread",
        summary: "How many notifications are unread, for each computer."
    )
    public static let refresh = ControlMethod<Choice, Unread>(
        "notifications.refresh",
        summary: "Ask a computer, or all, for what this phone has not got yet."
    )
    /// Its items are ``NotificationsControl/items(_:name:)``: what happens from now on, each once.
    public static let follow = ControlStream<Choice, JSONValue, NoControlAnswer>(
        "notifications.follow",
        summary: "Report notifications as they come, change and go."
    )
    /// Without members it only answers.
    public static let local = ControlMethod<LocalChange, LocalNotificationSettings>(
        "notifications.local",
        summary: "How this phone shows notifications, or change that."
    )
    public static let push = ControlMethod<Push, Pushed>(
        "notifications.push",
        summary: "Tell this phone's computers where it is woken while it is closed."
    )

    /// A query for one part of the list.
    public struct List: Codable, Hashable, Sendable {
        /// The computer's id or name; nil on a phone: of all computers.
        public var device: String?
        /// Only unread ones.
        public var unread: Bool?
        /// 1 to 500; nil for 50.
        public var limit: Int?
        /// Only what is older: the id of the last one of the page before, or without a device that page's `before`.
        public var before: String?

        public init(device: String?, unread: Bool? = nil, limit: Int? = nil, before: String? = nil) {
            self.device = device
            self.unread = unread
            self.limit = limit
            self.before = before
        }
    }

    /// The notifications to mark read: these, or with `all` everything up to a number.
    public struct Mark: Codable, Hashable, Sendable {
        public var device: String?
        public var ids: [String]?
        public var all: Bool?
        /// With `all`: the `upTo` of the list that the person saw; nil: everything that this device has.
        public var upTo: Int64?

        public init(device: String?, ids: [String]? = nil, all: Bool? = nil, upTo: Int64? = nil) {
            self.device = device
            self.ids = ids
            self.all = all
            self.upTo = upTo
        }
    }

    public struct Delete: Codable, Hashable, Sendable {
        public var device: String?
        public var ids: [String]

        public init(device: String?, ids: [String]) {
            self.device = device
            self.ids = ids
        }
    }

    /// Everything, or only what is older.
    public struct Clear: Codable, Hashable, Sendable {
        public var device: String?
        /// The number as in ``Mark``; not together with `before` or `source`.
        public var upTo: Int64?
        /// Only what came before: milliseconds since 1970.
        public var before: Int64?
        /// Only what came from there: `pc` or `mobile`.
        public var source: String?

        public init(device: String?, upTo: Int64? = nil, before: Int64? = nil, source: String? = nil) {
            self.device = device
            self.upTo = upTo
            self.before = before
            self.source = source
        }
    }

    public struct Marked: Codable, Hashable, Sendable {
        /// It waits for the computer.
        public var queued: Bool
        /// How many the computer marked or deleted; 0 while it waits.
        public var count: Int

        public init(_ marked: NotificationMarked) {
            switch marked {
            case .queued: (queued, count) = (true, 0)
            case .done(let number): (queued, count) = (false, number)
            }
        }
    }

    public struct Choice: Codable, Hashable, Sendable {
        /// The computer's id or name; nil: all of them.
        public var device: String?

        public init(device: String?) { self.device = device }
    }

    /// A change of this phone's settings; a nil member stays as it is.
    public struct LocalChange: Codable, Hashable, Sendable {
        public var enabled: Bool?
        public var sound: Bool?
        public var preview: Bool?

        public init(enabled: Bool? = nil, sound: Bool? = nil, preview: Bool? = nil) {
            self.enabled = enabled
            self.sound = sound
            self.preview = preview
        }
    }

    public struct Unread: Codable, Hashable, Sendable {
        public var total: Int
        /// The unread counts by computer id, for computers that have some.
        public var devices: [String: Int]

        public init(_ counts: [String: Int]) {
            total = counts.values.reduce(0, +)
            devices = counts
        }
    }

    public struct Push: Codable, Hashable, Sendable {
        /// The members of ``PushRegistration``; nil ends it.
        public var subscription: JSONValue?

        public init(_ registration: PushRegistration?) { subscription = registration?.wire }
    }

    /// How many computers were told; the others are told when they are reached.
    public struct Pushed: Codable, Hashable, Sendable {
        public var told: Int
        public var waiting: Int
    }

    // MARK: Items

    /// A row: the members of the wire, `device` and its `deviceName`, `place`, and `waiting` where a mark waits for the computer.
    static func row(_ kept: KeptNotification, name: String?) -> JSONValue {
        var members = kept.notification.members
        members["device"] = .string(kept.computer)
        members["deviceName"] = name.map(JSONValue.string)
        members["place"] = .string(kept.place.description)
        if kept.isWaiting { members["waiting"] = true }
        return .object(members)
    }

    /// `{"new": row, "banner": …}`, `{"changed": row}` and `{"removed": {device, id}}`, then `{"unread": {device, count}}`. A banner is wanted
    /// for what is not silenced and not switched off here. `{"missed": {device}}` says that something was lost and the list has to be read anew.
    /// On a phone also `{"computers": [{device, deviceName, advice}]}`, at first and after each change: those that are followed, with what to
    /// tell the person where one tells this phone nothing because it lacks the right.
    static func items(_ news: NotificationNews, name: String?) -> [JSONValue] {
        let device = JSONValue.string(news.computer)
        var items: [JSONValue] = news.isIncomplete ? [["missed": ["device": device]]] : []
        items += news.new.map {
            ["new": row($0, name: name), "banner": .bool(news.banners.contains($0.notification.id))]
        }
        items += news.changed.map { ["changed": row($0, name: name)] }
        items += news.removed.map { ["removed": ["device": device, "id": .string($0)]] }
        items.append(["unread": ["device": device, "count": .integer(Int64(news.unread))]])
        return items
    }
}
