import Foundation
import Kernel
import Notifications

/// What a closed phone is woken with. The push service sees only its length.
struct PushPayload {
    /// Bytes of the body, so that the payload fits into one record of RFC 8291.
    static let bodyLimit = 2 << 10

    let bytes: [UInt8]
    /// Of the row, so that its next text replaces one that the phone did not get yet.
    let topic: String

    /// - Parameter showsText: Else it says only which program it is.
    init(_ notification: RemoteNotification, showsText: Bool) {
        let program = notification.program ?? "Tandem"
        var members: [String: JSONValue] = [
            "id": .string(notification.id),
            "title": .string(showsText ? notification.title : program),
            "body": .string(showsText ? notification.body.cut(to: Self.bodyLimit) : ""),
            "priority": .string(notification.priority.rawValue),
            "timestamp": .integer(notification.createdAt),
        ]
        if showsText { members["app"] = .string(program) }
        members["alert"] = notification.alert.map(JSONValue.integer)
        bytes = JSONValue.object(members).canonicalBytes
        topic = String(notification.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(32))
    }
}
