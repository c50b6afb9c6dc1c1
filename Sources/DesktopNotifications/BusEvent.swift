/// An event of the notifications of a desktop session.
package enum BusEvent: Hashable, Sendable {
    /// This service shows notifications from now on. Ids of an earlier one mean nothing any more.
    case available(NotificationService)
    /// No notifications come at the moment, for this reason; it is a sentence for the person.
    case unavailable(String)
    /// A program showed one. Those that were shown through ``NotificationBus/show(_:replacing:)`` are left out.
    ///
    /// - Parameter replaces: The id that the program asked to replace; usually `id` itself.
    case shown(id: UInt32, BusNotification, replaces: UInt32?)
    /// The event of one that was shown through ``NotificationBus/show(_:replacing:)`` may come before that call has returned the id.
    case closed(id: UInt32, BusCloseReason)
    /// A button was pressed, on this computer or by ``NotificationBus/invoke(action:reply:of:)``.
    case actionInvoked(id: UInt32, action: String)
    /// A text was sent as the reply.
    case replied(id: UInt32, text: String)
    /// Some that were shown are left out here: their reader was too slow, or there were too many.
    case missed(Int)
}

/// Why a notification was closed. Source: the Desktop Notifications Specification, "NotificationClosed".
package enum BusCloseReason: UInt32, Hashable, Sendable, CaseIterable {
    case expired = 1
    /// A person closed it.
    case dismissed = 2
    /// A program closed it.
    case byProgram = 3
    case undefined = 4

    /// - Parameter code: The signal's code; codes that the specification does not have are ``undefined``.
    package init(code: UInt32) { self = BusCloseReason(rawValue: code) ?? .undefined }
}
