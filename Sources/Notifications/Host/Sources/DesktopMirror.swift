import Kernel
import Logging
import Notifications

/// Keeps the history and the desktop alike: what programs show becomes rows, and what is read or deleted elsewhere leaves the desktop.
actor DesktopMirror {
    /// Whether the desktop's notifications can be heard.
    struct Availability: Hashable, Sendable {
        var isAvailable: Bool
        var canAct = false
        /// Whether what is shown comes before a person.
        var isSeen = false
        var reason: String?
    }

    private enum Wish {
        case show(DesktopBanner)
        case withdraw
    }

    /// Notifications of the desktop whose rows are known. Older ones stay in the history and are not closed with it.
    static let limit = 1000

    private let source: (any NotificationSource)?
    private let store: NotificationDatabase
    private let centre: NotificationCentre
    private let logger: Logger
    private(set) var availability: Availability
    private var rows: [SourceNotification.ID: String] = [:]
    private var shown: [String: SourceNotification.ID] = [:]
    /// The keys of ``rows``, the oldest first.
    private var order: [SourceNotification.ID] = []
    /// The next change to each row whose banner is being shown or withdrawn; the latest counts.
    private var wishes: [String: Wish] = [:]
    /// Rows whose banners are being shown or withdrawn.
    private var changing: Set<String> = []
    /// Rows of which a button is being pressed, or an answer sent.
    private var acting: Set<String> = []
    /// Whether a notification of a program is being written: phones are told of its row before ``shown`` has the desktop's id of it.
    private var isTaking = false
    /// Presses on rows that are not in ``shown`` yet, until that is done.
    private var presses: [CheckedContinuation<Void, Never>] = []
    /// Rows that were read or deleted meanwhile and are not in ``shown`` yet.
    private var left: Set<String> = []
    private let errands = OwnedTasks()

    /// - Parameter source: Nil where this system has none.
    init(source: (any NotificationSource)?, store: NotificationDatabase, centre: NotificationCentre, logger: Logger) {
        self.source = source
        self.store = store
        self.centre = centre
        self.logger = logger
        availability = Availability(
            isAvailable: false,
            reason: source == nil
                ? "This build of Tandem cannot hear the notifications of this system's desktop."
                : "The desktop's notifications were not found yet. Try again in a moment."
        )
    }

    /// Runs until its task is cancelled or the source ends.
    func run() async {
        await forgetAll()
        guard let source else { return }
        for await event in await source.events() {
            do {
                try await take(event)
            } catch {
                logger.error("a notification of the desktop was not kept", metadata: ["reason": "\(error)"])
            }
        }
    }

    func close() async { await errands.end() }

    private func take(_ event: SourceEvent) async throws {
        switch event {
        case .available(let canAct, let reason, let isSeen):
            await forgetAll()
            availability = Availability(isAvailable: true, canAct: canAct, isSeen: isSeen, reason: reason)
        case .unavailable(let reason):
            await forgetAll()
            availability = Availability(isAvailable: false, reason: reason)
        case .shown(let notification):
            isTaking = true
            defer { taken() }
            try await take(notification)
        case .closed(let id, let end):
            guard let row = forget(id) else { return }
            await centre.closed(row)
            switch end {
            // What its program took back is over for everybody: a call that ended, a message that was read on another device.
            case .dismissed, .withdrawn:
                _ = try await store.write(.read([row], by: .owner))
                _ = try await store.write(.close([row]))
            case .expired: _ = try await store.write(.close([row]))
            }
        }
    }

    private func take(_ notification: SourceNotification) async throws {
        guard store.settings.mirrorsDesktop else { return try await takeBack(notification.id) }
        let outcome = try await centre.take(
            NewNotificationRow(
                title: notification.title,
                body: notification.body,
                priority: notification.priority,
                program: notification.program,
                key: notification.key,
                replaces: rows[notification.id],
                icon: notification.icon,
                actions: notification.actions.filter {
                    !$0.id.isEmpty && $0.id.utf8.count <= NotificationLimits.name
                }.map { NotificationAction(id: $0.id, label: $0.label.cut(to: NotificationLimits.name)) },
                canReply: notification.canReply,
                progress: notification.progress,
                image: notification.picture,
                isMirrored: true
            )
        )
        // One that is only counted with others has no row of its own.
        guard case .kept(let row, false) = outcome else { return try await takeBack(notification.id) }
        remember(notification.id, row.notification.id)
        guard let source, left.contains(row.notification.id) else { return }
        _ = forget(notification.id)
        errands.add { await source.close(notification.id) }
    }

    private func taken() {
        isTaking = false
        left.removeAll()
        for press in presses { press.resume() }
        presses.removeAll()
    }

    /// Another notification stands under the id now, which no phone is told of: a press must not answer what the person has not seen.
    private func takeBack(_ id: SourceNotification.ID) async throws {
        guard let row = forget(id) else { return }
        await centre.closed(row)
        _ = try await store.write(.close([row]))
    }

    // MARK: Which is which

    private func remember(_ id: SourceNotification.ID, _ row: String) {
        if let earlier = shown[row], earlier != id { _ = forget(earlier) }
        if rows[id] != nil { _ = forget(id) }
        rows[id] = row
        shown[row] = id
        order.append(id)
        if order.count > Self.limit { _ = forget(order[0]) }
    }

    private func forget(_ id: SourceNotification.ID) -> String? {
        guard let row = rows.removeValue(forKey: id) else { return nil }
        shown[row] = nil
        order.removeAll { $0 == id }
        return row
    }

    /// Forgets all ids. Earlier ids mean nothing any more, so nothing from before can be pressed.
    private func forgetAll() async {
        (rows, shown, order) = ([:], [:], [])
        var from: Int64? = .min
        while let next = from {
            do {
                from = try await store.write(.closeAll(from: next)).next
            } catch {
                logger.error("buttons of before are still shown", metadata: ["reason": "\(error)"])
                return
            }
        }
    }

    // MARK: The other way

    /// Takes from the desktop what was read or deleted elsewhere. One with buttons stays there once it is read: a person who reads it on a
    /// phone presses or answers next, and a closed one takes neither. Returns at once.
    func note(_ batch: NotificationBatch) {
        guard let source else { return }
        var ids: [SourceNotification.ID] = []
        for change in batch.writes.joined()
        where change.kind == .deleted || change.row.notification.isRead && !change.row.notification.takesAnswers {
            let row = change.row.notification.id
            // Its banner may come to the screen in this moment, under an id that is not known yet.
            guard !changing.contains(row) else {
                wishes[row] = .withdraw
                continue
            }
            guard let id = shown[row] else {
                if isTaking { left.insert(row) }
                continue
            }
            _ = forget(id)
            ids.append(id)
        }
        guard !ids.isEmpty else { return }
        // One after the other: a connection to the bus takes only so many calls at a time, and marks of all can close a thousand.
        errands.add { [ids] in for id in ids where !Task.isCancelled { await source.close(id) } }
    }

    /// Shows what another device sent. Returns at once.
    func show(_ banner: DesktopBanner, for row: String) {
        guard let source else { return }
        wishes[row] = .show(banner)
        guard changing.insert(row).inserted else { return }
        errands.add { [weak self] in await self?.fulfil(row, at: source) }
    }

    /// One thing after the other for each row: the next banner takes the place of the one before, whose id is known only then.
    private func fulfil(_ row: String, at source: any NotificationSource) async {
        while let wish = wishes.removeValue(forKey: row) {
            switch wish {
            case .show(let banner):
                do {
                    remember(try await source.show(banner, replacing: shown[row]), row)
                } catch {
                    // It is in the history all the same.
                    logger.info("nothing can be shown on this desktop", metadata: ["reason": "\(error)"])
                }
            case .withdraw:
                guard let id = shown[row] else { continue }
                _ = forget(id)
                await source.close(id)
            }
        }
        changing.remove(row)
    }

    func act(_ press: NotificationPress, on row: NotificationRow) async throws {
        guard let source, availability.canAct else {
            throw NotificationsError.cannotAct(
                reason: availability.reason ?? "The desktop that runs here takes no presses from elsewhere."
            )
        }
        // A row that is known does not wait: its next text, which the person has not seen, may be the one that is being written.
        if isTaking, shown[row.notification.id] == nil { await withCheckedContinuation { presses.append($0) } }
        // The first press counts, whichever device it came from.
        guard let id = shown[row.notification.id], !acting.contains(row.notification.id) else {
            throw NotificationsError.cannotAct(
                reason: "This notification is not on the computer's desktop any more, so it cannot be answered there."
            )
        }
        if let action = press.action, !row.notification.actions.contains(where: { $0.id == action }) {
            throw NotificationsError.noSuchAction
        }
        if press.reply != nil, !row.notification.canReply { throw NotificationsError.takesNoReply }
        acting.insert(row.notification.id)
        defer { acting.remove(row.notification.id) }
        try await source.act(id, action: press.action, reply: press.reply)
        // The desktop may have closed it meanwhile.
        guard shown[row.notification.id] == id else { return }
        _ = forget(id)
        errands.add { await source.close(id) }
        await centre.closed(row.notification.id)
        _ = try await store.write(.close([row.notification.id]))
    }
}

extension RemoteNotification {
    /// Whether its program waits for a press or for words.
    fileprivate var takesAnswers: Bool { canReply || !actions.isEmpty }
}
