import CommandServer
import Feed
import Kernel
import Logging
import Notifications
import Rights

/// Wakes phones by their push services: those that are not here, and those that do not confirm what they were told.
actor PhonePushes {
    /// Rows that one phone is woken with at a time, or waits for, at most: it learns the rest when it is opened.
    static let pushLimit = 32
    /// A phone that is here confirms an event within a second or two. One that went without a word, such as a laptop whose lid was closed, is
    /// noticed by its connection much later.
    static let confirmation: Duration = .seconds(10)
    /// The delay before a push that its service did not take is sent again: at first, and at most.
    static let firstRepeat: Duration = .seconds(10)
    static let lastRepeat: Duration = .seconds(3600)
    /// Refusals in a row that are no chance any more: the phone's person, or the owner, has to do something.
    static let refusalLimit = 3

    private struct Push: FeedItem {
        let row: NotificationRow
    }

    private let store: NotificationDatabase
    private let outlet: any DeviceOutlet
    private let pusher: (any PhonePusher)?
    private let time: any TimeSource
    private let logger: Logger
    /// Rows that each phone was told and would have to be woken for where they did not arrive, the oldest first, and until when each of
    /// them waits.
    private var unconfirmed: [String: [(row: NotificationRow, due: ContinuousClock.Instant)]] = [:]
    /// Rows that each phone could not be woken with yet, the oldest first, and how long its push service wants to be left alone.
    private var overdue: [String: (rows: [NotificationRow], after: Duration)] = [:]
    /// How often in a row each phone's push service did not take what it was sent, for good, by the registration that it was sent with.
    private var refusals: [String: (registration: PushRegistration, count: Int)] = [:]
    private let tasks = OwnedTasks()
    private lazy var lanes = FeedLanes<String, Push> { [weak self] pushes, visit in
        for push in pushes { _ = await self?.push(push.row, to: visit.follower) }
    }

    init(
        store: NotificationDatabase,
        outlet: any DeviceOutlet,
        pusher: (any PhonePusher)?,
        time: any TimeSource,
        logger: Logger
    ) {
        self.store = store
        self.outlet = outlet
        self.pusher = pusher
        self.time = time
        self.logger = logger
    }

    func wake(_ device: String, by row: NotificationRow) {
        lanes.add(Push(row: row), to: device, limit: Self.pushLimit)
    }

    /// Wakes the phone with the row where it does not confirm it in time.
    func awaitConfirmation(of row: NotificationRow, by device: String) {
        let begins = unconfirmed[device] == nil
        unconfirmed[device, default: []].append((row, time.now + Self.confirmation))
        // A phone that is told more than this at once asks for the rest, and is woken by the newest.
        if unconfirmed[device]?.count ?? 0 > Self.pushLimit { unconfirmed[device]?.removeFirst() }
        if begins { tasks.add { await self.confirm(device) } }
    }

    private func confirm(_ device: String) async {
        while let first = unconfirmed[device]?.first {
            guard await time.pause(until: first.due) else { return }
            let now = time.now
            let due = unconfirmed[device]?.prefix { $0.due <= now }.map(\.row) ?? []
            unconfirmed[device]?.removeFirst(due.count)
            do {
                for row in try await store.unconfirmed(due, by: device) {
                    wake(device, by: row)
                }
            } catch {
                logger.error("it is not known what a phone has", metadata: ["reason": "\(error)"])
            }
        }
        unconfirmed[device] = nil
    }

    /// - Returns: False where the push has to be sent again.
    private func push(_ row: NotificationRow, to device: String) async -> Bool {
        guard let pusher, let registration = store.push(of: device) else { return true }
        // The right to see it may have been taken back since.
        guard store.reader(of: device, through: outlet).sees(row) else { return true }
        let payload = PushPayload(
            row.notification,
            from: registration.computer,
            showsText: store.settings.showsPreview,
            mayAct: outlet.devices(needing: .notificationAct).contains { $0.id == device }
        )
        let outcome = await pusher.wake(
            registration,
            with: payload.bytes,
            // The row's next text replaces one that the phone did not get yet.
            topic: row.notification.id,
            isUrgent: row.notification.priority >= .high
        )
        switch outcome {
        case .sent: refusals[device] = nil
        case .failed:
            let before = refusals[device].map { $0.registration == registration ? $0.count : 0 } ?? 0
            refusals[device] = (registration, before + 1)
            guard before + 1 == Self.refusalLimit else { break }
            logger.notice("a phone cannot be woken: its push service refuses", metadata: ["device": "\(device)"])
        case .later(let after):
            postpone([row], of: device, for: after ?? .zero)
            return false
        case .gone:
            refusals[device] = nil
            do {
                // The service may take long to say so, and the phone may have given another one meanwhile.
                _ = try await store.write(.unregister(device: device, registration))
            } catch {
                logger.error("a push registration that is over is still kept", metadata: ["reason": "\(error)"])
            }
        }
        return true
    }

    /// The phones whose push service refuses everything, by their ids. One that gave another registration meanwhile is none of them.
    func refused() -> Set<String> {
        let refused = refusals.filter { device, refusal in
            refusal.count >= Self.refusalLimit && store.push(of: device) == refusal.registration
        }
        return Set(refused.keys)
    }

    // MARK: Again

    private func postpone(_ rows: [NotificationRow], of device: String, for after: Duration) {
        let begins = overdue[device] == nil
        var waiting = overdue[device] ?? ([], .zero)
        waiting.rows.removeAll { earlier in rows.contains { $0.notification.id == earlier.notification.id } }
        // A phone with more than these learns the rest when it is opened.
        waiting.rows = Array((waiting.rows + rows).suffix(Self.pushLimit))
        waiting.after = max(waiting.after, after)
        overdue[device] = waiting
        if begins { tasks.add { await self.repeatPushes(to: device) } }
    }

    private func repeatPushes(to device: String) async {
        var pause = Self.firstRepeat
        while let waiting = overdue[device], !waiting.rows.isEmpty {
            guard await time.pause(for: min(max(pause, waiting.after), Self.lastRepeat)) else { return }
            pause = min(pause * 2, Self.lastRepeat)
            let rows = overdue[device]?.rows ?? []
            overdue[device] = ([], .zero)
            do {
                // The phone may have it by now, or it was read elsewhere.
                let wanted = try await store.unconfirmed(rows, by: device)
                for (index, row) in wanted.enumerated() where await !push(row, to: device) {
                    postpone(Array(wanted[(index + 1)...]), of: device, for: .zero)
                    break
                }
            } catch {
                postpone(rows, of: device, for: .zero)
                logger.error("it is not known what a phone has", metadata: ["reason": "\(error)"])
            }
        }
        overdue[device] = nil
    }

    func close() async {
        await lanes.close()
        await tasks.end()
    }
}
