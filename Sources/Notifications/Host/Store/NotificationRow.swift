import GRDB
import Kernel
package import Notifications
import Storage

/// A reader of notifications, who may also mark them. A reader has everyone's notifications and, of those for one phone, its own.
package enum NotificationReader: Hashable, Sendable {
    /// The person at the computer, who sees all.
    case owner
    /// A phone that may see all that is for everyone, by its caller's id.
    case device(String)
    /// A phone that sees neither what programs show on the desktop, nor what was told up to a number: the last before it was paired.
    case limited(String, since: Int64)

    /// Nil for the owner.
    var device: String? {
        switch self {
        case .owner: nil
        case .device(let id), .limited(let id, _): id
        }
    }

    var isLimited: Bool { if case .limited = self { true } else { false } }

    /// Whether a row is this reader's to see.
    func sees(_ row: NotificationRow) -> Bool {
        switch self {
        case .owner: true
        case .device(let id): row.device.isEmpty || row.device == id
        case .limited(let id, let since):
            (row.device.isEmpty || row.device == id) && !row.isMirrored && row.alert > since
        }
    }

    /// Whether what is for `audience` alone, or for everyone where that is empty, is for this reader, too.
    func hears(_ audience: String) -> Bool { device.map { audience.isEmpty || audience == $0 } ?? true }

    /// Whether a row is for this reader alone, or came from it.
    func owns(_ row: NotificationRow) -> Bool { device.map { $0 == row.device || $0 == row.sender } ?? true }

    /// The conditions for the rows of ``sees(_:)``.
    var conditions: [SQL] {
        switch self {
        case .owner: []
        case .device(let id): ["device IN ('', \(id))"]
        case .limited(let id, let since): ["device IN ('', \(id)) AND isMirrored = 0 AND alert > \(since)"]
        }
    }
}

/// One row of the history, including the members that no device is told.
package struct NotificationRow: Hashable, Sendable {
    package var notification: RemoteNotification
    /// The only phone that it is for; empty: everyone.
    var device: String
    /// The phone that it came from; empty: none.
    var sender: String
    /// A program showed it on the desktop.
    var isMirrored: Bool
    var standing: NotificationTables.Standing
    var key: String?

    var sequence: Int64 { notification.sequence ?? 0 }
    var alert: Int64 { notification.alert ?? 0 }

    static let columns: SQL = """
        alert, id, sequence, state, device, sender, program, key, title, body, priority, isRead, isSilenced, origin, \
        createdAt, readAt, data, icon, actions, canReply, progress, hasImage, revision, isMirrored
        """

    init(_ row: Row) {
        let program: String = row["program"]
        notification = RemoteNotification(
            id: row["id"],
            title: row["title"],
            body: row["body"],
            priority: NotificationPriority(word: row["priority"]),
            isRead: row["isRead"],
            origin: NotificationOrigin(rawValue: row["origin"]) ?? .computer,
            createdAt: row["createdAt"],
            readAt: row["readAt"],
            data: Self.texts(row["data"]),
            isSilenced: row["isSilenced"],
            program: program.isEmpty ? nil : program,
            icon: row["icon"],
            hasImage: row["hasImage"],
            actions: Self.actions(row["actions"]),
            canReply: row["canReply"],
            progress: row["progress"],
            sequence: row["sequence"],
            alert: row["alert"],
            revision: row["revision"]
        )
        device = row["device"]
        sender = row["sender"]
        isMirrored = row["isMirrored"]
        standing = NotificationTables.Standing(rawValue: row["state"]) ?? .deleted
        key = row["key"]
    }

    static func first(_ database: Database, _ condition: SQL) throws -> NotificationRow? {
        try database.row("SELECT \(columns) FROM notification WHERE \(condition)").map { NotificationRow($0) }
    }

    /// Takes the number of a change that leaves what it says.
    mutating func passOn(to sequence: Int64) {
        notification.revision = notification.revision ?? notification.sequence
        notification.sequence = sequence
    }

    /// The notification as one reader is told: a phone shows no banner of what it sent itself.
    func told(to reader: NotificationReader) -> RemoteNotification {
        guard let id = reader.device, id == sender else { return notification }
        var notification = notification
        notification.isSilenced = true
        return notification
    }

    static func text(of data: [String: String]) -> String? {
        data.isEmpty
            ? nil : String(decoding: JSONValue.object(data.mapValues { .string($0) }).canonicalBytes, as: UTF8.self)
    }

    static func text(of actions: [NotificationAction]) -> String? {
        guard !actions.isEmpty else { return nil }
        let list = JSONValue.array(actions.map { .array([.string($0.id), .string($0.label)]) })
        return String(decoding: list.canonicalBytes, as: UTF8.self)
    }

    private static func texts(_ text: String?) -> [String: String] {
        guard let text, let members = (try? JSONValue(parsing: text.utf8))?.objectValue else { return [:] }
        return members.compactMapValues(\.stringValue)
    }

    private static func actions(_ text: String?) -> [NotificationAction] {
        guard let text, let list = (try? JSONValue(parsing: text.utf8))?.arrayValue else { return [] }
        return list.compactMap { pair in
            guard let texts = pair.arrayValue?.compactMap(\.stringValue), texts.count == 2 else { return nil }
            return NotificationAction(id: texts[0], label: texts[1])
        }
    }
}
