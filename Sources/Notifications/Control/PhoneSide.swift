import AsyncAlgorithms
import CommandClient
import Commands
import Control
import Kernel
import Rights

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
        let page = try await notifications.page(
            of: device,
            unreadOnly: list.unread ?? false,
            limit: list.limit ?? 50,
            before: try await place(list.before, device)
        )
        let counts = notifications.unread
        var members: [String: JSONValue] = [
            "notifications": .array(
                page.items.map { NotificationsControl.row($0, name: notifications.name(of: $0.computer)) }
            ),
            "total": .integer(Int64(page.total)),
            "unreadCount": .integer(Int64(device.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +))),
        ]
        let advice = await paired().filter { device == nil || $0 == device }
            .compactMap { computers.advice(on: .notification, at: $0) }
        if !advice.isEmpty { members["advice"] = .array(advice.map(JSONValue.string)) }
        members["upTo"] = page.upTo.map(JSONValue.integer)
        if page.hasMore { members["before"] = page.items.last.map { .string($0.place.description) } }
        return .object(members)
    }

    private func place(_ before: String?, _ device: String?) async throws -> NotificationPlace? {
        guard let before else { return nil }
        if let device {
            let id = KeptNotification.ID(computer: device, notification: before)
            if let place = try await notifications.store.place(of: id) { return place }
        }
        guard let place = NotificationPlace(before) else {
            throw ControlError.badParameter(name: "before", expected: "the id of a notification in the list")
        }
        return place
    }

    func seen(_ device: String?) async throws -> Int64? {
        try await notifications.store.position(of: inbox(device).id).seen
    }

    func mark(_ mark: NotificationMark, _ device: String?) async throws -> NotificationsControl.Marked {
        NotificationsControl.Marked(try await inbox(device).mark(mark))
    }

    func unread() async throws -> NotificationsControl.Unread { NotificationsControl.Unread(notifications.unread) }

    func follow(_ device: String?, _ report: @escaping @Sendable (JSONValue) async throws -> Void) async throws {
        let news = notifications.news()
        let lists = computers.paired()
        let wanted: String? = if let device { try await computers.peer(named: device).id } else { nil }
        var told: JSONValue?
        for try await followed in merge(news.map(Followed.news), lists.map(Followed.computers)) {
            switch followed {
            case .news(let one) where wanted == nil || one.computer == wanted:
                for item in NotificationsControl.items(one, name: notifications.name(of: one.computer)) {
                    try await report(item)
                }
            case .news: break
            case .computers(let list):
                let item = self.item(list.filter { wanted == nil || $0.id == wanted })
                guard item != told else { continue }
                told = item
                try await report(item)
            }
        }
    }

    private enum Followed: Sendable {
        case news(NotificationNews)
        case computers([PairedComputer])
    }

    private func item(_ list: [PairedComputer]) -> JSONValue {
        let rows = list.map { computer -> JSONValue in
            var row: [String: JSONValue] = ["device": .string(computer.id), "deviceName": .string(computer.name)]
            row["advice"] = computers.advice(on: .notification, at: computer.id).map(JSONValue.string)
            return .object(row)
        }
        return ["computers": .array(rows)]
    }

    var ownRoutes: [ControlRoute] {
        [
            ControlRoute(NotificationsControl.refresh) { choice in
                if let name = choice.device {
                    try await inbox(name).refresh()
                } else {
                    try await refreshAll()
                }
                return try await unread()
            },
            ControlRoute(NotificationsControl.local) { change in
                guard change != NotificationsControl.LocalChange() else { return try await notifications.settings() }
                return try await notifications.change { settings in
                    settings.enabled = change.enabled ?? settings.enabled
                    settings.sound = change.sound ?? settings.sound
                    settings.preview = change.preview ?? settings.preview
                }
            },
            ControlRoute(NotificationsControl.push, run: push),
        ]
    }

    /// Asks every computer that is there.
    ///
    /// - Throws: Why one did not answer, once all others did.
    private func refreshAll() async throws {
        let failures = await withTaskGroup(of: (any Error)?.self) { group in
            for id in await paired() {
                group.addTask {
                    do {
                        try await inbox(id).refresh()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [any Error]()) { failures, failure in
                if let failure, FailureReport(failure).kind != .away { failures.append(failure) }
            }
        }
        if let first = failures.first { throw first }
    }

    private func push(_ push: NotificationsControl.Push) async throws -> NotificationsControl.Pushed {
        let registration = try push.subscription.map { wire in
            do {
                return try PushRegistration(wire: RemoteParameters(wire))
            } catch {
                throw ControlError.badParameters(method: NotificationsControl.push.name, reason: "\(error)")
            }
        }
        try await notifications.store.save(push: registration)
        var (told, waiting) = (0, 0)
        var refusal: (any Error)?
        for id in await paired() {
            do {
                if try await inbox(id).tellPush() { told += 1 } else { waiting += 1 }
            } catch {
                waiting += 1
                if error is RemoteFailure { refusal = error }
            }
        }
        // A browser whose subscription no computer takes is not woken: the person is told why.
        if let refusal, told == 0, registration != nil { throw refusal }
        return NotificationsControl.Pushed(told: told, waiting: waiting)
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
