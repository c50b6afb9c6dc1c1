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
        rights: [.notification, .notificationAll, .notificationAct]
    )
}

extension NotificationDatabase {
    /// The reader whose notifications a caller's request is about.
    func reader(_ caller: Caller) -> NotificationReader {
        caller == NotificationOwner.caller ? .owner : reader(of: caller.id, seesAll: caller.may(.notificationAll))
    }

    /// The reader that a phone is by the rights that it has now.
    func reader(of device: String, through outlet: any DeviceOutlet) -> NotificationReader {
        reader(of: device, seesAll: outlet.devices(needing: .notificationAll).contains { $0.id == device })
    }
}
