import Commands
import Control
import Kernel

/// A computer about itself: by its own methods and events.
struct ComputerSide: NotificationSide {
    let find: NotificationRoutes.Find

    func list(_ list: NotificationsControl.List) async throws -> JSONValue {
        let peer = try await find(list.device)
        let history = try await NotificationCommands(peer).getHistory(
            NotificationHistoryQuery(
                limit: list.limit ?? 50,
                isUnreadOnly: list.unread ?? false,
                before: list.before
            )
        )
        var members: [String: JSONValue] = [
            "notifications": .array(history.notifications.map { row($0, of: peer) }),
            "total": .integer(Int64(history.total)), "unreadCount": .integer(Int64(history.unreadCount)),
        ]
        members["upTo"] = history.upTo.map(JSONValue.integer)
        if history.hasMore == true { members["before"] = history.notifications.last.map { .string($0.id) } }
        return .object(members)
    }

    /// The mark reaches the computer at once.
    func seen(_ device: String?) async throws -> Int64? { nil }

    func mark(_ mark: NotificationMark, _ device: String?) async throws -> NotificationsControl.Marked {
        let (method, params) = mark.call
        let answer = try await find(device).call(method.name, params, timeout: .seconds(30))
        return NotificationsControl.Marked(.done(count: try NotificationCount(wire: answer).count))
    }

    func unread() async throws -> NotificationsControl.Unread {
        let peer = try await find(nil)
        return NotificationsControl.Unread([peer.id: try await NotificationCommands(peer).getUnreadCount()])
    }

    func follow(_ device: String?, _ report: @escaping @Sendable (JSONValue) async throws -> Void) async throws {
        let peer = try await find(device)
        let events = try await peer.events()
        // Events from here on have numbers above this one.
        var last = try await NotificationCommands(peer).getHistory(NotificationHistoryQuery(limit: 1)).upTo
        for await event in events {
            guard let event = NotificationEvent(event) else { continue }
            var news = NotificationNews(computer: peer.id)
            // When many change at once only the last change is told, and a slow reader loses some: their numbers are missing.
            if let known = last, let number = event.sequence {
                news.isIncomplete = number > known + 1
                last = max(known, number)
            }
            switch event.kind {
            case .received(let notification):
                news.new = [kept(notification, of: peer)]
                if !notification.isSilenced, !notification.isRead { news.banners = [notification.id] }
            case .changed(let notification): news.changed = [kept(notification, of: peer)]
            case .deleted(let id): news.removed = [id]
            }
            if let count = event.unreadCount {
                news.unread = count
            } else {
                news.unread = try await NotificationCommands(peer).getUnreadCount()
            }
            for item in NotificationsControl.items(news, name: nil) { try await report(item) }
        }
    }

    var ownRoutes: [ControlRoute] { [] }

    private func row(_ notification: RemoteNotification, of peer: any Peer) -> JSONValue {
        NotificationsControl.row(kept(notification, of: peer), name: nil)
    }

    private func kept(_ notification: RemoteNotification, of peer: any Peer) -> KeptNotification {
        KeptNotification(
            computer: peer.id,
            notification: notification,
            isWaiting: false,
            place: NotificationPlace(createdAt: notification.createdAt, position: notification.sequence ?? 0)
        )
    }
}
