package import Commands
package import Kernel

/// What a person does with notifications. It shows at once, and waits on the phone while the computer is away.
public enum NotificationMark: Hashable, Sendable {
    /// At most ``NotificationLimits/marked``.
    case read([String])
    /// Everything that the person had seen: up to this ``RemoteNotification/sequence``, or with nil all there is.
    case allRead(upTo: Int64?)
    /// At most ``NotificationLimits/marked``.
    case deleted([String])
    /// As ``allRead(upTo:)``.
    case cleared(upTo: Int64?)
    case forgotten(OldNotifications)

    /// What the computer is asked for.
    package var call: (method: MethodDeclaration, params: JSONValue) {
        switch self {
        case .read(let ids): (NotificationMethods.markAsRead.declaration, NotificationIDs(ids).wire)
        case .allRead(let number):
            (NotificationMethods.markAllAsRead.declaration, AllNotifications(upTo: number).wire)
        case .deleted(let ids): (NotificationMethods.delete.declaration, NotificationIDs(ids).wire)
        case .cleared(let number): (NotificationMethods.clearAll.declaration, AllNotifications(upTo: number).wire)
        case .forgotten(let old): (NotificationMethods.clearHistory.declaration, old.wire)
        }
    }
}

/// What became of a mark within the person's patience.
public enum NotificationMarked: Hashable, Sendable {
    /// The computer did it, to so many.
    case done(count: Int)
    /// It waits for the computer.
    case queued
}
