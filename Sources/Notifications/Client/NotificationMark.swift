import CommandClient
package import Commands
package import Kernel

/// A person's action on notifications. It shows at once, and waits on the phone while the computer is away.
public enum NotificationMark: Hashable, Sendable {
    /// At most ``NotificationLimits/marked``. One that wanted to be noticed after that ``RemoteNotification/sequence`` stays as it is; nil:
    /// ``NotificationInbox/mark(_:)`` fills in what the person can have seen.
    case read([String], upTo: Int64? = nil)
    /// Everything that the person had seen: up to this ``RemoteNotification/sequence``, or with nil all there is.
    case allRead(upTo: Int64?)
    /// Takes its ids and number as ``read(_:upTo:)`` does.
    case deleted([String], upTo: Int64? = nil)
    /// Takes its number as ``allRead(upTo:)`` does.
    case cleared(upTo: Int64?)
    case forgotten(OldNotifications)

    /// The method call that carries the mark to the computer.
    package var call: (method: MethodDeclaration, params: JSONValue) {
        switch self {
        case .read(let ids, let number):
            (NotificationMethods.markAsRead.declaration, NotificationIDs(ids, upTo: number).wire)
        case .allRead(let number):
            (NotificationMethods.markAllAsRead.declaration, AllNotifications(upTo: number).wire)
        case .deleted(let ids, let number):
            (NotificationMethods.delete.declaration, NotificationIDs(ids, upTo: number).wire)
        case .cleared(let number): (NotificationMethods.clearAll.declaration, AllNotifications(upTo: number).wire)
        case .forgotten(let old): (NotificationMethods.clearHistory.declaration, old.wire)
        }
    }
}

extension NotificationMark {
    /// Nil for a mark of more than those that it names.
    var ids: [String]? { named?.ids }

    private var named: NotificationIDs? {
        switch self {
        case .read(let ids, let number), .deleted(let ids, let number): NotificationIDs(ids, upTo: number)
        case .allRead, .cleared, .forgotten: nil
        }
    }

    /// A copy for one notification, where the mark names its notifications; a mark of all stays as it is.
    func naming(_ id: String) -> NotificationMark {
        switch self {
        case .read(_, let number): .read([id], upTo: number)
        case .deleted(_, let number): .deleted([id], upTo: number)
        case .allRead, .cleared, .forgotten: self
        }
    }

    /// A copy with the number of the last change that the person can have seen, where the mark names its notifications and has no number.
    func numbered(_ seen: Int64?) -> NotificationMark {
        switch self {
        case .read(let ids, nil): .read(ids, upTo: seen)
        case .deleted(let ids, nil): .deleted(ids, upTo: seen)
        case .read, .deleted, .allRead, .cleared, .forgotten: self
        }
    }

    /// Marks that name their notifications become one command, since a person who sees to hundreds on the way would drive the first out of the
    /// queue. A mark of one kind may go before marks of the other: what is deleted stays so, whether it was read or not.
    var joining: OfflineCommandQueue.Joining? {
        guard let named else { return nil }
        let names = [NotificationMethods.markAsRead.name, NotificationMethods.delete.name]
        return OfflineCommandQueue.Joining(passing: Set(names)) { waiting in
            // A command has one number for all its notifications.
            guard let before = try? NotificationIDs(wire: RemoteParameters(waiting)), before.upTo == named.upTo else {
                return nil
            }
            let both = before.ids + named.ids.filter { !before.ids.contains($0) }
            return both.count > NotificationLimits.marked ? nil : NotificationIDs(both, upTo: named.upTo).wire
        }
    }
}

/// The outcome of a mark within the person's patience.
public enum NotificationMarked: Hashable, Sendable {
    /// The computer did it, to so many.
    case done(count: Int)
    /// It waits for the computer.
    case queued
}
