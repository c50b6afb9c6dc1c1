public import Commands
public import Kernel

/// The notification that `notification.send` shows at the computer.
public struct NewNotification: MethodParameters, Hashable {
    /// 1 to ``NotificationLimits/title`` bytes.
    public var title: String
    /// At most ``NotificationLimits/body`` bytes.
    public var body: String
    public var priority: NotificationPriority
    /// False: it is shown in quiet hours, too.
    public var respectsQuietHours: Bool
    /// An icon's name.
    public var icon: String?
    /// Ours: one under the same key is replaced.
    public var key: String?
    public var data: [String: String]

    public init(
        title: String,
        body: String,
        priority: NotificationPriority = .normal,
        respectsQuietHours: Bool = true,
        icon: String? = nil,
        key: String? = nil,
        data: [String: String] = [:]
    ) {
        self.title = title
        self.body = body
        self.priority = priority
        self.respectsQuietHours = respectsQuietHours
        self.icon = icon
        self.key = key
        self.data = data
    }

    public init(wire: RemoteParameters) throws {
        title = try wire.title()
        body = try wire.body()
        // Existing programs call it urgency; a word that is not known is normal.
        priority = NotificationPriority(
            word: try wire.optionalText("priority", limit: 64) ?? wire.optionalText("urgency", limit: 64)
        )
        respectsQuietHours = try wire.flag("respectQuietHours", default: true)
        icon = try wire.optionalText("icon", limit: NotificationLimits.name)
        key = try wire.optionalText("key", limit: NotificationLimits.name)
        data = try wire.data()
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "title": .string(title), "body": .string(body), "priority": .string(priority.rawValue),
            // The name that existing programs read in its place.
            "urgency": .string(priority.urgency), "respectQuietHours": .bool(respectsQuietHours),
        ]
        members["icon"] = icon.map(JSONValue.string)
        members["key"] = key.map(JSONValue.string)
        if !data.isEmpty { members["data"] = .object(data.mapValues { .string($0) }) }
        return .object(members)
    }
}

/// The notification that `notification.sendToMobile` and `notification.broadcast` tell phones.
public struct ForwardedNotification: MethodParameters, Hashable {
    public var title: String
    public var body: String
    public var priority: NotificationPriority
    /// The only phones it goes to; empty: all of them. Not read by `broadcast`.
    public var devices: [String]
    public var data: [String: String]

    public init(
        title: String,
        body: String,
        priority: NotificationPriority = .normal,
        devices: [String] = [],
        data: [String: String] = [:]
    ) {
        self.title = title
        self.body = body
        self.priority = priority
        self.devices = devices
        self.data = data
    }

    public init(wire: RemoteParameters) throws {
        title = try wire.title()
        body = try wire.body()
        priority = NotificationPriority(
            word: try wire.optionalText("priority", limit: 64) ?? wire.optionalText("urgency", limit: 64)
        )
        if let device = try wire.optionalText("deviceId", limit: NotificationLimits.name) {
            devices = device.isEmpty ? [] : [device]
        } else {
            devices = try wire.texts("targetDevices")
        }
        data = try wire.data()
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "title": .string(title), "body": .string(body), "priority": .string(priority.rawValue),
            "urgency": .string(priority.urgency),
        ]
        if devices.count == 1 { members["deviceId"] = .string(devices[0]) }
        // Existing programs read this one only, and tell all phones without it.
        if !devices.isEmpty { members["targetDevices"] = .array(devices.map { .string($0) }) }
        if !data.isEmpty { members["data"] = .object(data.mapValues { .string($0) }) }
        return .object(members)
    }
}

/// A query for a part of the history.
public struct NotificationHistoryQuery: MethodParameters, Hashable {
    /// Brought into ``NotificationLimits/page``.
    public var limit: Int
    /// At least 0.
    public var offset: Int
    public var isUnreadOnly: Bool
    /// Ours: words that have to be in title, body or program.
    public var text: String?
    /// Ours: only of this program.
    public var program: String?
    /// Ours: only older ones than the one with this id, which stands still while others come; then `offset` does not count.
    public var before: String?

    public init(
        limit: Int = 50,
        offset: Int = 0,
        isUnreadOnly: Bool = false,
        text: String? = nil,
        program: String? = nil,
        before: String? = nil
    ) {
        self.limit = limit
        self.offset = offset
        self.isUnreadOnly = isUnreadOnly
        self.text = text
        self.program = program
        self.before = before
    }

    public init(wire: RemoteParameters) throws {
        // The documented clients bring both into range themselves.
        let range = NotificationLimits.page
        limit = Int(
            min(max(try wire.optionalInteger("limit", in: .min ... .max) ?? 50, range.lowerBound), range.upperBound)
        )
        offset = Int(clamping: max(try wire.optionalInteger("offset", in: .min ... .max) ?? 0, 0))
        isUnreadOnly = try wire.flag("unreadOnly")
        text = try wire.optionalText("query", limit: NotificationLimits.title)
        program = try wire.optionalText("app", limit: NotificationLimits.name)
        before = try wire.optionalText("before", limit: NotificationLimits.name)
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "limit": .integer(Int64(limit)), "offset": .integer(Int64(offset)), "unreadOnly": .bool(isUnreadOnly),
        ]
        members["query"] = text.map(JSONValue.string)
        members["app"] = program.map(JSONValue.string)
        members["before"] = before.map(JSONValue.string)
        return .object(members)
    }
}

/// The notifications to mark or delete.
public struct NotificationIDs: MethodParameters, Hashable {
    /// 1 to ``NotificationLimits/marked``.
    public var ids: [String]
    /// Ours, of marks: the last ``RemoteNotification/sequence`` that the asker can have seen, so that what wanted to be noticed later under
    /// one of the ids stays as it is. Nil: whatever they say. A text that changes quietly, as progress does, is marked with its row.
    public var upTo: Int64?

    public init(_ ids: [String], upTo: Int64? = nil) {
        self.ids = ids
        self.upTo = upTo
    }

    public init(wire: RemoteParameters) throws {
        let named =
            try wire.optionalText("notificationId", limit: NotificationLimits.name)
            ?? wire.optionalText("id", limit: NotificationLimits.name)
        ids = try named.map { [$0] } ?? wire.texts("ids")
        guard !ids.isEmpty, !ids.contains("") else {
            throw RemoteFailure.badParameter("notificationId", "the id of a notification")
        }
        upTo = try wire.optionalInteger("upTo", in: 0 ... .max)
    }

    /// One under both names: existing programs read `id`, and mark everything read where only the documented name is there.
    public var wire: JSONValue {
        var members: [String: JSONValue] =
            ids.count == 1
            ? ["notificationId": .string(ids[0]), "id": .string(ids[0])]
            : ["ids": .array(ids.map { .string($0) })]
        members["upTo"] = upTo.map(JSONValue.integer)
        return .object(members)
    }
}

/// All notifications up to a number.
public struct AllNotifications: MethodParameters, Hashable {
    /// Ours: the last ``RemoteNotification/sequence`` that the asker had seen, so that what came later stays as it is. Nil: all there are.
    public var upTo: Int64?

    public init(upTo: Int64? = nil) { self.upTo = upTo }

    public init(wire: RemoteParameters) throws { upTo = try wire.optionalInteger("upTo", in: 0 ... .max) }

    public var wire: JSONValue { upTo.map { ["upTo": .integer($0)] } ?? [:] }
}

/// The part of the history to forget.
public struct OldNotifications: MethodParameters, Hashable {
    /// Only what came before: milliseconds since 1970.
    public var before: Int64?
    /// Only what came from there; the documented word is `type`.
    public var origin: NotificationOrigin?
    /// A word for `type` that no row of ours has: `system`, `message`, `reminder` and `alert` of existing programs, and any other.
    public var foreignType: String?

    /// The type that existing programs give to every notification that says nothing else.
    private static let ordinaryType = "app"

    public init(before: Int64? = nil, origin: NotificationOrigin? = nil, foreignType: String? = nil) {
        self.before = before
        self.origin = origin
        self.foreignType = foreignType
    }

    public init(wire: RemoteParameters) throws {
        before = try wire.optionalInteger("before", in: 0 ... .max)
        let type = try wire.optionalText("type", limit: 100)
        origin = type.flatMap(NotificationOrigin.init(rawValue:))
        foreignType = origin == nil && type != Self.ordinaryType ? type : nil
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [:]
        members["before"] = before.map(JSONValue.integer)
        members["type"] = (origin?.rawValue ?? foreignType).map { .string($0) }
        return .object(members)
    }
}

/// The place from which a device wants to catch up. It has everything up to there on its disk.
public struct NotificationSyncQuery: MethodParameters, Hashable {
    /// The ``NotificationChanges/epoch`` of its number; nil for a device that has nothing yet.
    public var epoch: String?
    /// The last number that it holds, 0 for none.
    public var after: Int64
    /// Brought into ``NotificationLimits/sync``.
    public var limit: Int

    public init(epoch: String?, after: Int64, limit: Int = 200) {
        self.epoch = epoch
        self.after = after
        self.limit = limit
    }

    public init(wire: RemoteParameters) throws {
        epoch = try wire.optionalText("epoch", limit: NotificationLimits.name)
        after = try wire.optionalInteger("after", in: 0 ... .max) ?? 0
        let range = NotificationLimits.sync
        limit = Int(
            min(max(try wire.optionalInteger("limit", in: .min ... .max) ?? 200, range.lowerBound), range.upperBound)
        )
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["after": .integer(after), "limit": .integer(Int64(limit))]
        members["epoch"] = epoch.map(JSONValue.string)
        return .object(members)
    }
}

/// A button that is pressed, or a person's answer.
public struct NotificationPress: MethodParameters, Hashable {
    public var id: String
    /// ``NotificationAction/id``; nil with a ``reply``.
    public var action: String?
    /// 1 to ``NotificationLimits/reply`` bytes; nil with an ``action`` that takes none.
    public var reply: String?

    public init(id: String, action: String? = nil, reply: String? = nil) {
        self.id = id
        self.action = action
        self.reply = reply
    }

    public init(wire: RemoteParameters) throws {
        id = try wire.text("notificationId", limit: NotificationLimits.name)
        action = try wire.optionalText("action", limit: NotificationLimits.name)
        reply = try wire.optionalText("text", limit: NotificationLimits.reply)
        if action?.isEmpty ?? true, reply?.isEmpty ?? true {
            throw RemoteFailure.badParameter("action", "the id of a button, or text a reply")
        }
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["notificationId": .string(id)]
        members["action"] = action.map(JSONValue.string)
        members["text"] = reply.map(JSONValue.string)
        return .object(members)
    }
}

/// Whether what one program shows is told.
public struct NotificationProgramChange: MethodParameters, Hashable {
    /// The program's name, as in ``NotificationProgram/name``.
    public var name: String
    public var isAllowed: Bool

    public init(name: String, isAllowed: Bool) {
        self.name = name
        self.isAllowed = isAllowed
    }

    public init(wire: RemoteParameters) throws {
        name = try wire.text("app", limit: NotificationLimits.name)
        guard wire.has("allowed") else { throw RemoteFailure.badParameter("allowed", "true or false") }
        isAllowed = try wire.flag("allowed")
    }

    public var wire: JSONValue { ["app": .string(name), "allowed": .bool(isAllowed)] }
}

extension RemoteParameters {
    fileprivate func title() throws(RemoteFailure) -> String {
        let title = try text("title", limit: NotificationLimits.title)
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw .badParameter("title", "a text of 1 to \(NotificationLimits.title) bytes that says something")
        }
        return title
    }

    /// Existing programs send `message` where they have no body.
    fileprivate func body() throws(RemoteFailure) -> String {
        if let body = try optionalText("body", limit: NotificationLimits.body) { return body }
        return try optionalText("message", limit: NotificationLimits.body) ?? ""
    }

    fileprivate func data() throws(RemoteFailure) -> [String: String] {
        guard has("data") else { return [:] }
        let expected = "an object of at most \(NotificationLimits.data) texts"
        guard let members = value["data"]?.objectValue, members.count <= NotificationLimits.data else {
            throw .badParameter("data", expected)
        }
        var data: [String: String] = [:]
        for (key, value) in members {
            guard key.utf8.count <= NotificationLimits.dataKey, let text = value.stringValue,
                text.utf8.count <= NotificationLimits.dataValue
            else { throw .badParameter("data", expected) }
            data[key] = text
        }
        return data
    }

    fileprivate func texts(_ name: String) throws(RemoteFailure) -> [String] {
        guard has(name) else { return [] }
        guard let list = value[name]?.arrayValue, list.count <= NotificationLimits.marked else {
            throw .badParameter(name, "a list of at most \(NotificationLimits.marked) ids")
        }
        var texts: [String] = []
        for each in list {
            guard let text = each.stringValue, !text.isEmpty, text.utf8.count <= NotificationLimits.name else {
                throw .badParameter(name, "a list of ids")
            }
            texts.append(text)
        }
        return texts
    }
}
