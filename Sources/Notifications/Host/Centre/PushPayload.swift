import Foundation
import Kernel
import Notifications

/// The payload of a push that wakes a closed phone. The push service sees only its length.
struct PushPayload {
    /// Bytes. Some push services take no more, though RFC 8291 has room for 3,993. Source: `docs/push.md`.
    static let limit = 2000

    let bytes: [UInt8]

    /// - Parameters:
    ///   - computer: This computer's id as the phone knows it: with it the phone finds the notification, and shows it once.
    ///   - showsText: Else it says only which program it is.
    init(_ notification: RemoteNotification, from computer: String?, showsText: Bool) {
        let program = notification.program ?? "Tandem"
        var members: [String: JSONValue] = [
            "id": .string(notification.id), "priority": .string(notification.priority.rawValue),
            "timestamp": .integer(notification.createdAt),
        ]
        if showsText { members["app"] = .string(program) }
        members["device"] = computer.map(JSONValue.string)
        members["alert"] = notification.alert.map(JSONValue.integer)
        var (title, body) = showsText ? (notification.title, notification.body) : (program, "")
        // Escaped, a byte can take six.
        var room = Self.limit
        repeat {
            room = room * 3 / 4
            body = body.cut(to: max(room, 3))
            title = title.cut(to: max(room, 3))
            members["title"] = .string(title)
            members["body"] = .string(body)
        } while JSONValue.object(members).canonicalBytes.count > Self.limit && room > 3
        bytes = JSONValue.object(members).canonicalBytes
    }
}
