package import Kernel

/// Why a desktop's notifications could not be reached or changed. The description is shown to the person.
package enum NotificationBusError: Error, Hashable, Sendable, CustomStringConvertible, ClassifiedError {
    /// This machine has no session bus for this user.
    case noSession
    /// The session bus cannot be used.
    case busUnreachable(reason: String)
    /// The session bus belongs to another user.
    case foreignBus
    /// No program shows notifications in this session.
    case noService
    /// - Parameter service: The service's name, for example `gnome-shell`.
    case notPossible(service: String)
    /// The service said no, with these words.
    case refused(reason: String)
    case timedOut(after: Duration)
    /// The notification is closed.
    case closed(id: UInt32)
    case unknownAction(String)

    package var description: String {
        switch self {
        case .noSession:
            """
            There is no desktop session of this user on the computer: neither DBUS_SESSION_BUS_ADDRESS nor a bus in \
            XDG_RUNTIME_DIR is there. Log in on its desktop, or start Tandem from inside the session.
            """
        case .busUnreachable(let reason):
            "The computer's session bus cannot be used: \(reason). Check that its desktop session still runs."
        case .foreignBus:
            """
            The session bus that Tandem was started with belongs to another user of the computer. Start Tandem as the \
            user whose notifications it shall show.
            """
        case .noService:
            """
            No program shows notifications in the computer's session. Start its notification service, for example \
            dunst or mako.
            """
        case .notPossible(let service):
            """
            The computer's notification service \(service) lets no other program press a notification's buttons. Press \
            it on the computer.
            """
        case .refused(let reason):
            "The computer's notification service said no: \(reason)."
        case .timedOut(let limit):
            "The computer's notification service did not answer within \(limit). Try again."
        case .closed(let id):
            "Notification \(id) is closed on the computer. There is nothing to do with it any more."
        case .unknownAction(let key):
            "The notification has no button \(key). Look at it again, its program may have changed it."
        }
    }

    package var facts: FailureFacts {
        switch self {
        case .noSession: .kind(.offline, reason: "noSession")
        case .busUnreachable(let words): .kind(.offline, reason: "busUnreachable", ["reason": .string(words)])
        case .foreignBus: .kind(.notAllowed, reason: "foreignBus")
        case .noService: .kind(.offline, reason: "noService")
        case .notPossible(let service): .kind(.refused, reason: "notPossible", ["service": .string(service)])
        case .refused(let words): .kind(.refused, reason: "refused", ["reason": .string(words)])
        case .timedOut(let limit): .kind(.expired, reason: "timedOut", ["seconds": .integer(limit.components.seconds)])
        case .closed(let id): .kind(.notFound, reason: "closed", ["id": .integer(Int64(id))])
        case .unknownAction(let key): .kind(.notFound, reason: "unknownAction", ["action": .string(key)])
        }
    }
}
