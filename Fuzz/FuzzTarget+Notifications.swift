import Commands
import Kernel
import Notifications

extension FuzzTarget {
    /// What a computer tells of notifications: whatever is taken stays within the bounds, and is the same when it is written and read again.
    static let notifications = FuzzTarget(name: "notifications") { bytes in
        guard let value = try? JSONValue(parsing: bytes) else { return }
        if let event = RemoteEvent(envelope: value).flatMap(NotificationEvent.init) {
            if case .received(let notification) = event.kind { check(notification) }
            guard RemoteEvent(envelope: event.event.envelope).flatMap(NotificationEvent.init) == event else {
                finding("an event that is another when it is written and read again")
            }
        }
        if let history = try? NotificationHistory(wire: value) { history.notifications.forEach(check) }
        if let changes = try? NotificationChanges(wire: value) {
            for case .kept(let notification) in changes.changes { check(notification) }
            guard (try? NotificationChanges(wire: changes.wire)) == changes else {
                finding("changes that are others when they are written and read again")
            }
        }
        _ = try? NotificationSettings(wire: value)
        _ = try? NotificationPrograms(wire: value)
        _ = try? NewNotification(wire: RemoteParameters(value))
        _ = try? NotificationSettingsChange(wire: RemoteParameters(value))
        _ = try? NotificationPress(wire: RemoteParameters(value))
    }

    private static func check(_ notification: RemoteNotification) {
        guard notification.title.utf8.count <= NotificationLimits.title,
            notification.body.utf8.count <= NotificationLimits.body,
            notification.id.utf8.count <= NotificationLimits.name,
            notification.data.count <= NotificationLimits.data,
            notification.actions.count <= NotificationLimits.actions
        else { finding("a notification out of bounds") }
    }
}
