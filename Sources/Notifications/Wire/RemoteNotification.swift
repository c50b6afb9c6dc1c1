import Commands
import Foundation
public import Kernel

/// A button of a notification.
public struct NotificationAction: Hashable, Sendable, Codable {
    /// The key that the program which showed it knows. `default` is a press on the notification itself.
    public var id: String
    /// For people.
    public var label: String

    public init(id: String, label: String) {
        self.id = id
        self.label = label
    }
}

/// One notification of a computer, as it stands in the history. Source: `docs/protocol.md`, "Notifications".
public struct RemoteNotification: Hashable, Sendable, Identifiable {
    public var id: String
    /// At most ``NotificationLimits/title`` bytes of plain text.
    public var title: String
    /// At most ``NotificationLimits/body`` bytes of plain text.
    public var body: String
    public var priority: NotificationPriority
    public var isRead: Bool
    public var origin: NotificationOrigin
    /// Milliseconds since 1970, by the computer's clock.
    public var createdAt: Int64
    /// Milliseconds since 1970; nil while it is unread.
    public var readAt: Int64?
    /// Data that programs put beside the text.
    public var data: [String: String]
    /// It came in quiet hours: it is in the history and shows no banner.
    public var isSilenced: Bool
    /// The program that said it; nil where that is not known.
    public var program: String?
    /// An icon's name, never an address.
    public var icon: String?
    /// A picture can be asked for.
    public var hasImage: Bool
    /// The buttons that can be pressed from here. None once it was closed at the computer.
    public var actions: [NotificationAction]
    /// Its program takes an answer in words.
    public var canReply: Bool
    /// 0 to 100 where it tells of progress.
    public var progress: Int?
    /// The number of its newest change; nil from programs that count none.
    public var sequence: Int64?
    /// The number at which it last wanted to be noticed; nil from programs that count none.
    public var alert: Int64?
    /// The number of the change that last changed what it says; nil where that is ``sequence``.
    public var revision: Int64?

    public init(
        id: String,
        title: String,
        body: String,
        priority: NotificationPriority = .normal,
        isRead: Bool = false,
        origin: NotificationOrigin = .computer,
        createdAt: Int64,
        readAt: Int64? = nil,
        data: [String: String] = [:],
        isSilenced: Bool = false,
        program: String? = nil,
        icon: String? = nil,
        hasImage: Bool = false,
        actions: [NotificationAction] = [],
        canReply: Bool = false,
        progress: Int? = nil,
        sequence: Int64? = nil,
        alert: Int64? = nil,
        revision: Int64? = nil
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.priority = priority
        self.isRead = isRead
        self.origin = origin
        self.createdAt = createdAt
        self.readAt = readAt
        self.data = data
        self.isSilenced = isSilenced
        self.program = program
        self.icon = icon
        self.hasImage = hasImage
        self.actions = actions
        self.canReply = canReply
        self.progress = progress
        self.sequence = sequence
        self.alert = alert
        self.revision = revision
    }

    /// Reads an item of a history, an event's members, or a row as an existing program writes it.
    ///
    /// - Returns: Nil for one without id, title or body. Longer texts are cut, what does not fit otherwise is left out.
    public init?(wire: JSONValue) { self.init(wire: wire, mayLackBody: false) }

    /// - Parameter mayLackBody: A missing body, or null, is an empty one.
    init?(wire: JSONValue, mayLackBody: Bool) {
        guard let members = try? AnswerMembers(wire),
            let id = members.text("id", "notificationId", "notification_id"), !id.isEmpty,
            id.utf8.count <= NotificationLimits.name,
            let title = members.text("title"), !title.isEmpty,
            let body = members.text("body") ?? (mayLackBody && members.value("body") == nil ? "" : nil)
        else { return nil }
        self.init(
            id: id,
            title: title.cut(to: NotificationLimits.title),
            body: body.cut(to: NotificationLimits.body),
            priority: NotificationPriority(word: members.text("priority", "urgency")),
            isRead: members.flag("read", "isRead", "is_read")
                ?? (members.integer("read", "is_read").map { $0 != 0 } ?? false),
            origin: members.text("source").flatMap(NotificationOrigin.init) ?? .computer,
            createdAt: members.integer("createdAt", "created_at", "timestamp") ?? 0,
            readAt: members.integer("readAt", "read_at"),
            data: Self.data(members.value("data")),
            isSilenced: members.flag("silenced") ?? false,
            program: members.text("app")?.cut(to: NotificationLimits.name),
            icon: members.text("icon")?.cut(to: NotificationLimits.name),
            hasImage: members.flag("hasImage") ?? false,
            actions: (members.list("actions", limit: NotificationLimits.actions) ?? []).compactMap(
                NotificationAction.init
            ),
            canReply: members.flag("canReply") ?? false,
            progress: members.count("progress").flatMap { $0 <= 100 ? $0 : nil },
            sequence: members.integer("sequence"),
            alert: members.integer("alert"),
            revision: members.integer("revision")
        )
    }

    /// The wire form as an item of a history: the documented members, and ours where they say something.
    public var wire: JSONValue { .object(members) }

    package var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "id": .string(id), "title": .string(title), "body": .string(body), "priority": .string(priority.rawValue),
            "read": .bool(isRead), "source": .string(origin.rawValue), "createdAt": .integer(createdAt),
        ]
        members["readAt"] = readAt.map(JSONValue.integer)
        if !data.isEmpty { members["data"] = .object(data.mapValues { .string($0) }) }
        if isSilenced { members["silenced"] = true }
        members["app"] = program.map(JSONValue.string)
        members["icon"] = icon.map(JSONValue.string)
        if hasImage { members["hasImage"] = true }
        if !actions.isEmpty {
            members["actions"] = .array(actions.map { ["id": .string($0.id), "label": .string($0.label)] })
        }
        if canReply { members["canReply"] = true }
        members["progress"] = progress.map { .integer(Int64($0)) }
        members["sequence"] = sequence.map(JSONValue.integer)
        members["alert"] = alert.map(JSONValue.integer)
        members["revision"] = revision.map(JSONValue.integer)
        return members
    }

    /// Whether a person who had seen all changes up to a number had seen what it says. One that counts nothing was seen.
    func isSaid(by number: Int64) -> Bool { (revision ?? sequence).map { $0 <= number } ?? true }

    /// A copy dated now, where the notification does not say when it was said: a documented push need not.
    func dated(_ now: Date) -> RemoteNotification {
        guard createdAt <= 0 else { return self }
        var notification = self
        notification.createdAt = now.millisecondsSince1970
        return notification
    }

    private static func data(_ value: JSONValue?) -> [String: String] {
        // Existing programs keep it as a JSON text.
        let object =
            value?.objectValue
            ?? value?.stringValue.flatMap { text in
                text.utf8.count <= 64 << 10 ? (try? JSONValue(parsing: text.utf8))?.objectValue : nil
            }
        let texts = (object ?? [:]).compactMapValues(\.stringValue).filter {
            $0.key.utf8.count <= NotificationLimits.dataKey && $0.value.utf8.count <= NotificationLimits.dataValue
        }
        guard texts.count > NotificationLimits.data else { return texts }
        return Dictionary(
            uniqueKeysWithValues: texts.sorted { $0.key < $1.key }.prefix(NotificationLimits.data).map { ($0, $1) }
        )
    }
}

extension NotificationAction {
    fileprivate init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let id = members.text("id"), !id.isEmpty,
            id.utf8.count <= NotificationLimits.name
        else { return nil }
        self.init(id: id, label: (members.text("label") ?? id).cut(to: NotificationLimits.name))
    }
}

extension String {
    /// The beginning that fits, whole characters only, with an ellipsis where something was left out.
    ///
    /// - Parameter limit: Bytes of UTF-8, at least 3.
    package func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit - 3)
        while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
