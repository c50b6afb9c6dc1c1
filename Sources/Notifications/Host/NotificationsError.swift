import Commands
import Notifications

/// Why something about notifications was not done.
enum NotificationsError: Error, Hashable {
    case unknown(id: String)
    case hasNoPicture
    /// What it was shown by takes no presses from elsewhere, or it was closed.
    case cannotAct(reason: String)
}

extension NotificationsError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknown: "There is no such notification any more. Refresh the list."
        case .hasNoPicture: "This notification has no picture."
        case .cannotAct(let reason): reason
        }
    }
}
