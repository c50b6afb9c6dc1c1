import GRDB
import Kernel
package import Notifications

/// Who reads or marks: everyone's notifications and, of those for one phone, its own.
package enum NotificationReader: Hashable, Sendable {
    /// The person at the computer, who sees all.
    case owner
    /// A phone, by its caller's id.
    case device(String)

    /// Whether a row that is for `audience` alone, or for everyone where that is empty, is this reader's.
    func sees(_ audience: String) -> Bool {
        switch self {
        case .owner: true
        case .device(let id): audience.isEmpty || audience == id
        }
    }
}

/// One row of the history, with what no device is told.
package struct NotificationRow: Hashable, Sendable {
    package var notification: RemoteNotification
    /// The only phone that it is for; empty: everyone.
    var device: String
    /// The phone that it came from; empty: none.
    var sender: String
    var standing: NotificationTables.Standing
    var key: String?

    var sequence: Int64 { notification.sequence ?? 0 }
    var alert: Int64 { notification.alert ?? 0 }

    static let columns = """
        alert, id, sequence, state, device, sender, program, key, title, body, priority, isRead, isSilenced, origin, \
        createdAt, readAt, data, icon, actions, canReply, progress, hasImage, revision
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
        standing = NotificationTables.Standing(rawValue: row["state"]) ?? .deleted
        key = row["key"]
    }

    /// Takes the number of a change that leaves what it says.
    mutating func passOn(to sequence: Int64) {
        notification.revision = notification.revision ?? notification.sequence
        notification.sequence = sequence
    }

    /// As one reader is told: a phone shows no banner of what it sent itself.
    func told(to reader: NotificationReader) -> RemoteNotification {
        guard case .device(let id) = reader, id == sender else { return notification }
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
