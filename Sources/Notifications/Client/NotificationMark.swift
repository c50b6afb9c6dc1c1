import CommandClient
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

extension NotificationMark {
    /// Nil for a mark of more than those that it names.
    var ids: [String]? {
        switch self {
        case .read(let ids), .deleted(let ids): ids
        case .allRead, .cleared, .forgotten: nil
        }
    }

    /// Marks that name their notifications become one command, since a person who sees to hundreds on the way would drive the first out of the
    /// queue. A mark of one kind may go before marks of the other: what is deleted stays so, whether it was read or not.
    var joining: OfflineCommandQueue.Joining? {
        guard let ids else { return nil }
        let names = [NotificationMethods.markAsRead.name, NotificationMethods.delete.name]
        return OfflineCommandQueue.Joining(passing: Set(names)) { waiting in
            guard let before = try? NotificationIDs(wire: RemoteParameters(waiting)).ids else { return nil }
            let both = before + ids.filter { !before.contains($0) }
            return both.count > NotificationLimits.marked ? nil : NotificationIDs(both).wire
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
