import Foundation
import Kernel
import Notifications

/// The payload of a push that wakes a closed phone. The push service sees only its length.
struct PushPayload {
    /// Bytes. Some push services take no more, though RFC 8291 has room for 3,993. Source: `docs/push.md`.
    static let limit = 2000
    /// As many buttons as browsers show, in so many bytes together: words come first.
    static let buttons = 2
    static let buttonsLimit = 400

    let bytes: [UInt8]

    /// - Parameters:
    ///   - computer: This computer's id as the phone knows it: with it the phone finds the notification, and shows it once.
    ///   - showsText: Else it says only which program it is.
    ///   - mayAct: Whether the phone may press the notification's buttons: else it is told none.
    init(_ notification: RemoteNotification, from computer: String?, showsText: Bool, mayAct: Bool) {
        let program = notification.program ?? "Tandem"
        var members: [String: JSONValue] = [
            "id": .string(notification.id), "priority": .string(notification.priority.rawValue),
            "timestamp": .integer(notification.createdAt),
        ]
        if showsText { members["app"] = .string(program) }
        members["device"] = computer.map(JSONValue.string)
        members["alert"] = notification.alert.map(JSONValue.integer)
        if showsText && mayAct { members["actions"] = Self.actions(of: notification) }
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

    /// The first buttons whose keys and labels fit; nil where there are none. A press on the notification itself opens it on the phone.
    private static func actions(of notification: RemoteNotification) -> JSONValue? {
        var found: [JSONValue] = []
        for action in notification.actions where action.id != "default" && found.count < buttons {
            let next = JSONValue.object(["id": .string(action.id), "label": .string(action.label.cut(to: 60))])
            guard JSONValue.array(found + [next]).canonicalBytes.count <= buttonsLimit else { continue }
            found.append(next)
        }
        return found.isEmpty ? nil : .array(found)
    }
}
