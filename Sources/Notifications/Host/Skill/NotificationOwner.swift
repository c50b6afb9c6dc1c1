import CommandServer
import Commands
import Notifications
import Rights

/// The person at this computer, as the feature's methods see them.
enum NotificationOwner {
    static let caller = Caller(
        id: OwnerPeer.id,
        name: "Tandem",
        proof: .session,
        rights: [.notification, .notificationAct]
    )
}

extension Caller {
    /// Whose notifications are meant.
    var reader: NotificationReader { self == NotificationOwner.caller ? .owner : .device(id) }
}
