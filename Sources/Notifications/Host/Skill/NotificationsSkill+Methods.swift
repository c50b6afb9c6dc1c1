package import CommandServer
import Commands
import Foundation
import Kernel
import Notifications
import Rights

/// The methods for phones, and for the computer's own commands and page.
extension NotificationsSkill {
    /// The method by which existing programs show something at the computer.
    static let notify = MethodDeclaration(
        "system.notify",
        permission: NotificationMethods.send.declaration.permission,
        risk: .mutating,
        summary: "Shows a notification on the computer."
    )

    package var methods: [RemoteMethod] {
        [
            NotificationMethods.send.served { try await self.send($0, $1) },
            NotificationMethods.sendToMobile.served { try await self.forward($0, $1) },
            NotificationMethods.broadcast.served { try await self.broadcast($0, $1) },
            NotificationMethods.getHistory.served { try await self.store.history($0, for: self.store.reader($1)) },
            NotificationMethods.markAsRead.served { try await self.mark($0, $1) },
            NotificationMethods.markAllAsRead.served { all, caller in
                NotificationCount(
                    try await self.all { .readAll(upTo: all.upTo ?? .max, by: self.store.reader(caller), from: $0) }
                )
            },
            NotificationMethods.delete.served { try await self.delete($0, $1) },
            NotificationMethods.clearAll.served { all, caller in
                try await self.clear(OldNotifications(), upTo: all.upTo ?? .max, caller)
            },
            NotificationMethods.clearHistory.served { old, caller in
                // There is nothing of such a type, so all of it is gone.
                guard old.foreignType == nil else { return NotificationCount(0) }
                return try await self.clear(old, upTo: .max, caller)
            },
            NotificationMethods.getUnreadCount.served { _, caller in
                NotificationCount(try await self.store.unreadCount(for: self.store.reader(caller)))
            },
            NotificationMethods.getSettings.served { _, caller in
                var settings = self.store.settings
                settings.isPushRefused = await self.telling.isPushRefused(by: caller.id)
                return settings
            },
            NotificationMethods.updateSettings.served { change, _ in
                _ = try await self.store.write(.settings(change))
                return NotificationSettingsSaved(self.store.settings)
            },
            NotificationMethods.sync.served { query, caller in
                switch self.store.reader(caller) {
                case .owner: try await self.store.changes(query)
                case let reader: try await self.store.sync(query, by: caller.id, as: reader)
                }
            },
            NotificationMethods.image.served { try await self.picture($0, $1) },
            NotificationMethods.sources.served { _, _ in try await self.programs() },
            NotificationMethods.setSource.served { change, _ in
                let outcome = try await self.store.write(.allow(program: change.name, change.isAllowed))
                guard outcome.isKept else {
                    throw NotificationsError.tooManyPrograms(limit: NotificationWriting.deniedLimit)
                }
                return try await self.programs()
            },
            NotificationMethods.act.served { try await self.act($0, $1) },
            NotificationMethods.registerPush.served { registration, caller in
                guard caller.proof != .clear else { throw NotificationsError.pushInTheClear }
                guard let pusher = self.pusher else { throw NotificationsError.cannotPush }
                try Self.checking { try pusher.check(registration) }
                _ = try await self.store.write(.register(device: caller.id, registration))
                return Done()
            },
            NotificationMethods.unregisterPush.served { _, caller in
                _ = try await self.store.write(.register(device: caller.id, nil))
                return Done()
            },
            [
                RemoteMethod(Self.notify) { params, caller in
                    try await RemoteFailure.answering {
                        try await self.send(NewNotification(wire: params), caller).wire
                    }
                }
            ],
        ].flatMap(\.self)
    }

    // MARK: Saying something

    private static let off = "Notifications are switched off at this computer. Switch them on in its settings."

    private func send(_ new: NewNotification, _ caller: Caller) async throws -> NotificationSent {
        let isOwner = store.reader(caller) == .owner
        let outcome = try await centre.take(
            NewNotificationRow(
                title: new.title,
                body: new.body,
                priority: new.priority,
                origin: isOwner ? .computer : .phone,
                program: caller.name,
                key: new.key,
                data: new.data,
                icon: new.icon,
                sender: isOwner ? "" : caller.id,
                respectsQuietHours: new.respectsQuietHours
            )
        )
        let now = time.date.millisecondsSince1970
        guard case .kept(let row, let isCounted) = outcome else {
            return NotificationSent(id: nil, reason: reason(outcome), timestamp: now)
        }
        let notification = row.notification
        // The desktop itself shows what phones say; of a flood only its one row.
        var isShown: Bool?
        if !notification.isSilenced, !isOwner || !isCounted {
            let banner = DesktopBanner(
                title: notification.title,
                body: notification.body,
                priority: notification.priority,
                sender: isOwner ? nil : caller.name
            )
            await mirror.show(banner, for: notification.id)
            isShown = await mirror.availability.isSeen
        }
        // The row stands for many, and says nothing of this one.
        guard !isCounted else { return NotificationSent(id: nil, reason: reason(outcome), timestamp: now) }
        return NotificationSent(
            id: notification.id,
            isSilenced: notification.isSilenced,
            isShown: isShown,
            timestamp: now
        )
    }

    private func reason(_ outcome: NotificationCentre.Outcome) -> String {
        switch outcome {
        case .kept, .counted: "So much was said at once that it was only counted. Try again in a minute."
        case .disabled: Self.off
        case .denied: "This computer keeps no notifications of \(NotificationOwner.caller.name) or of this phone."
        }
    }

    private func broadcast(_ forwarded: ForwardedNotification, _ caller: Caller) async throws -> NotificationDelivery {
        let phones = outlet.devices(needing: .notification).filter { $0.id != caller.id }
        return try await deliver(forwarded, to: phones, only: nil, caller)
    }

    private func forward(_ forwarded: ForwardedNotification, _ caller: Caller) async throws -> NotificationDelivery {
        let all = outlet.devices(needing: .notification)
        guard !forwarded.devices.isEmpty else {
            // All of them: the one that asks wants to be told, too.
            return try await deliver(forwarded, to: all, only: nil, from: "", caller).sayingWhyNone
        }
        var sum = NotificationDelivery(deliveredCount: 0)
        for name in Set(forwarded.devices).sorted() {
            let byKey = all.filter { $0.id == name }
            let found = byKey.isEmpty ? all.filter { $0.deviceID == name } : byKey
            let named = found.isEmpty ? all.filter { $0.name.lowercased() == name.lowercased() } : found
            guard named.count == 1, let device = named.first else {
                sum.failedCount += 1
                sum.reason = "The parameter deviceId must be the id of a paired phone, not \(name.cut(to: 64))."
                continue
            }
            let delivery = try await deliver(forwarded, to: [device], only: device, from: "", caller)
            sum.deliveredCount += delivery.deliveredCount
            sum.failedCount += delivery.failedCount
            sum.reason = delivery.reason ?? sum.reason
            sum.id = sum.id ?? delivery.id
            sum.timestamp = delivery.timestamp
        }
        sum.device = forwarded.devices.count == 1 ? forwarded.devices[0] : nil
        return sum
    }

    /// - Parameters:
    ///   - only: The one phone that sees it; nil: everyone.
    ///   - sender: The phone that shows no banner of it; nil: the caller; empty: none.
    private func deliver(
        _ forwarded: ForwardedNotification,
        to devices: [OutletDevice],
        only: OutletDevice?,
        from sender: String? = nil,
        _ caller: Caller
    ) async throws -> NotificationDelivery {
        let isOwner = store.reader(caller) == .owner
        let id = UUID.randomText()
        let report = DeliveryReport(Set(devices.map(\.id)))
        await telling.watch(id, report)
        let outcome: NotificationCentre.Outcome
        do {
            outcome = try await centre.take(
                NewNotificationRow(
                    id: id,
                    title: forwarded.title,
                    body: forwarded.body,
                    priority: forwarded.priority,
                    origin: isOwner ? .computer : .phone,
                    program: caller.name,
                    data: forwarded.data,
                    device: only?.id ?? "",
                    sender: isOwner ? "" : sender ?? caller.id
                )
            )
        } catch {
            await telling.unwatch(id)
            throw error
        }
        let now = time.date.millisecondsSince1970
        guard case .kept(let row, false) = outcome else {
            await telling.unwatch(id)
            return NotificationDelivery(
                deliveredCount: 0,
                failedCount: devices.count,
                device: only?.id,
                reason: reason(outcome),
                timestamp: now
            )
        }
        let count = await report.delivered(within: Self.deliveryTime, on: time)
        await telling.unwatch(id)
        return NotificationDelivery(
            deliveredCount: count,
            failedCount: devices.count - count,
            device: only?.id,
            id: row.notification.id,
            timestamp: now
        )
    }

    // MARK: Marks

    private func mark(_ ids: NotificationIDs, _ caller: Caller) async throws -> NotificationCount {
        let outcome = try await store.write(.read(ids.ids, by: self.store.reader(caller), upTo: ids.upTo ?? .max))
        return NotificationCount(outcome.changes.count, reason: outcome.known == 0 ? NotificationCount.notFound : nil)
    }

    private func delete(_ ids: NotificationIDs, _ caller: Caller) async throws -> NotificationCount {
        let reader = store.reader(caller)
        // A deletion removes the notification from every device.
        for id in ids.ids where reader.isLimited {
            guard let row = try await store.row(id, for: reader), !reader.owns(row) else { continue }
            let right = Right.notificationAll.rawValue
            throw GateRefusal.notAllowed(name: caller.name, permission: right).failure
        }
        let outcome = try await store.write(.delete(ids.ids, by: reader, upTo: ids.upTo ?? .max))
        return NotificationCount(outcome.changes.count, reason: outcome.known == 0 ? NotificationCount.notFound : nil)
    }

    private func clear(_ old: OldNotifications, upTo: Int64, _ caller: Caller) async throws -> NotificationCount {
        NotificationCount(try await all { .clear(old, upTo: upTo, by: self.store.reader(caller), from: $0) })
    }

    /// All of something, in parts that hold up other writes for a moment only.
    private func all(_ write: (_ from: Int64) -> NotificationWrite) async throws -> Int {
        var (count, from): (Int, Int64?) = (0, .min)
        while let next = from {
            let outcome = try await store.write(write(next))
            count += outcome.changes.count
            from = outcome.next
        }
        return count
    }

    // MARK: The rest

    private func picture(_ ids: NotificationIDs, _ caller: Caller) async throws -> NotificationPicture {
        guard let row = try await store.row(ids.ids[0], for: self.store.reader(caller)) else {
            throw NotificationsError.unknown(id: ids.ids[0])
        }
        guard row.notification.hasImage, let bytes = try await store.image(row.notification.id) else {
            throw NotificationsError.hasNoPicture
        }
        return NotificationPicture(bytes)
    }

    private func programs() async throws -> NotificationPrograms {
        let availability = await mirror.availability
        return NotificationPrograms(
            programs: try await store.programs(),
            isAvailable: availability.isAvailable,
            reason: availability.reason,
            canAct: availability.canAct
        )
    }

    private func act(_ press: NotificationPress, _ caller: Caller) async throws -> Done {
        guard let row = try await store.row(press.id, for: self.store.reader(caller)) else {
            throw NotificationsError.unknown(id: press.id)
        }
        try await Self.refusing { try await mirror.act(press, on: row) }
        _ = try await store.write(.read([row.notification.id], by: self.store.reader(caller)))
        return Done()
    }

    /// Turns an adapter's error into a refusal: its description is a sentence for the person.
    private static func refusing(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as any ClassifiedError where error.facts.code != nil {
            throw error
        } catch {
            throw NotificationsError.cannotAct(reason: "\(error)")
        }
    }

    private static func checking(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as any ClassifiedError where error.facts.code != nil {
            throw error
        } catch {
            throw NotificationsError.badRegistration(reason: "\(error)")
        }
    }
}

extension NotificationDelivery {
    /// A copy with a reason, where nobody was told and none is given.
    fileprivate var sayingWhyNone: NotificationDelivery {
        guard deliveredCount == 0, reason == nil else { return self }
        var delivery = self
        delivery.reason = "No phone could be told. Pair one, or allow it to be told what happens here."
        return delivery
    }
}
