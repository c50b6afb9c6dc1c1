import CommandClient
import Commands
import Control
import Kernel

/// A phone about its computers: from its own disk.
struct PhoneSide: NotificationSide {
    private let notifications: PhoneNotifications
    private let computers: any PairedComputers

    init(_ notifications: PhoneNotifications, _ computers: any PairedComputers) {
        self.notifications = notifications
        self.computers = computers
    }

    func list(_ list: NotificationsControl.List) async throws -> JSONValue {
        let device: String? = if let name = list.device { try await computers.peer(named: name).id } else { nil }
        var place: NotificationPlace?
        if let before = list.before {
            guard let read = NotificationPlace(before) else {
                throw ControlError.badParameter(name: "before", expected: "what the page before says as before")
            }
            place = read
        }
        let page = try await notifications.page(
            of: device,
            unreadOnly: list.unread ?? false,
            limit: list.limit ?? 50,
            before: place
        )
        var members: [String: JSONValue] = [
            "items": .array(
                page.items.map { NotificationsControl.row($0, name: notifications.name(of: $0.computer)) }
            ),
            "unread": NotificationsControl.Unread(notifications.unread).json,
        ]
        if page.hasMore { members["before"] = page.items.last.map { .string($0.place.description) } }
        return .object(members)
    }

    func seen(_ device: String?) async throws -> Int64? {
        let position = try await notifications.store.position(of: inbox(device).id)
        return position.epoch.map { _ in position.after }
    }

    func mark(_ mark: NotificationMark, _ device: String?) async throws -> NotificationsControl.Marked {
        NotificationsControl.Marked(try await inbox(device).mark(mark))
    }

    func unread() async throws -> NotificationsControl.Unread { NotificationsControl.Unread(notifications.unread) }

    func follow(_ device: String?, _ report: @escaping @Sendable (JSONValue) async throws -> Void) async throws {
        let news = notifications.news()
        let wanted: String? = if let device { try await computers.peer(named: device).id } else { nil }
        for await one in news where wanted == nil || one.computer == wanted {
            try await report(NotificationsControl.item(one, name: notifications.name(of: one.computer)))
        }
    }

    var ownRoutes: [ControlRoute] {
        [
            ControlRoute(NotificationsControl.refresh) { choice in
                let ids: [String]
                if let name = choice.device {
                    ids = [try await computers.peer(named: name).id]
                } else {
                    ids = await paired()
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for id in ids {
                        group.addTask {
                            do {
                                try await inbox(id).refresh()
                            } catch where choice.device == nil && FailureReport(error).kind == .away {
                                // Of all computers those that are there are asked.
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                return try await unread()
            },
            ControlRoute(NotificationsControl.local) { _ in try await notifications.settings() },
            ControlRoute(NotificationsControl.setLocal) { change in
                var settings = try await notifications.settings()
                settings.enabled = change.enabled ?? settings.enabled
                settings.sound = change.sound ?? settings.sound
                settings.preview = change.preview ?? settings.preview
                try await notifications.save(settings)
                return settings
            },
        ]
    }

    private func paired() async -> [String] {
        for await list in computers.paired() { return list.map(\.id) }
        return []
    }

    private func inbox(_ device: String?) async throws -> NotificationInbox {
        let id = try await computers.peer(named: device).id
        return try await computers.part(NotificationInbox.self, forComputer: id)
    }
}
