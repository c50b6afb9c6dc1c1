import CommandServer
import Commands
import Kernel
import Logging
import Notifications
import Rights
import Synchronization

/// Tells phones what changed, each in a lane of its own: a slow or absent phone holds up no other.
actor PhoneTelling {
    /// Events that wait for one phone at most. The oldest goes first: a phone of ours sees the gap and asks.
    static let waitingLimit = 256
    /// Kept events that wait for a phone that only knows the documented wire, at most: as many as its lane holds.
    static let keptLimit = 1000
    /// Changes of one write that a phone is told one by one. Of more it is told the last, and asks for the rest.
    static let singlyLimit = 64
    /// A phone that takes no more misses this event.
    static let sendTimeout: Duration = .seconds(5)
    static let pushLimit = 32
    /// A phone that is here confirms an event within a second or two. One that went without a word, such as a laptop whose lid was closed, is
    /// noticed by its connection much later.
    static let confirmation: Duration = .seconds(10)
    /// The delay before a push that its service did not take is sent again: at first, and at most.
    static let firstRepeat: Duration = .seconds(10)
    static let lastRepeat: Duration = .seconds(3600)

    private enum Lane: Hashable {
        case events(String)
        case pushes(String)
    }

    private enum Way {
        case now
        /// Kept on disk under a key.
        case kept(key: String)
    }

    private struct Item {
        var event: RemoteEvent
        var kind: EventKind
        var way = Way.now
        /// The row to wake the phone with, where it is not here.
        var push: NotificationRow?
        /// The `alert` of a row that is handed to a phone that does not catch up.
        var told: Int64?
        var report: DeliveryReport?
    }

    private struct Waiting {
        var items: [Item] = []
        var isSending = false
    }

    private let store: NotificationDatabase
    private let outlet: any DeviceOutlet
    private let pusher: (any PhonePusher)?
    private let time: any TimeSource
    private let logger: Logger
    private var lanes: [Lane: Waiting] = [:]
    private var reports: [String: DeliveryReport] = [:]
    /// Rows that each phone was told and would have to be woken for where they did not arrive, the oldest first, and until when each of
    /// them waits.
    private var unconfirmed: [String: [(row: NotificationRow, due: ContinuousClock.Instant)]] = [:]
    /// Rows that each phone could not be woken with yet, the oldest first, and how long its push service wants to be left alone.
    private var overdue: [String: (rows: [NotificationRow], after: Duration)] = [:]
    private let tasks = OwnedTasks()
    private let epoch: String
    nonisolated let ownerEvents = Broadcaster<RemoteEvent>()

    init(
        store: NotificationDatabase,
        epoch: String,
        outlet: any DeviceOutlet,
        pusher: (any PhonePusher)?,
        time: any TimeSource,
        logger: Logger
    ) {
        self.store = store
        self.epoch = epoch
        self.outlet = outlet
        self.pusher = pusher
        self.time = time
        self.logger = logger
    }

    /// Returns once everything is in its lane.
    func tell(_ batch: NotificationBatch) {
        let devices = outlet.devices(needing: .notification)
        let readers = Dictionary(devices.map { ($0.id, reader(of: $0.id)) }, uniquingKeysWith: { first, _ in first })
        let syncing = store.syncingDevices
        for changes in batch.writes {
            for change in last(changes) { ownerEvents.send(event(change, for: .owner, batch).event) }
            for device in devices {
                guard let reader = readers[device.id] else { continue }
                let own = changes.filter { reader.sees($0.row) }
                if syncing.contains(device.id) {
                    for change in last(own) { queue(change, for: device, reader, batch) }
                } else {
                    // It knows only what is new.
                    for change in own where change.kind == .alerted { hand(change, to: device, reader, batch) }
                }
            }
        }
    }

    private func reader(of device: String) -> NotificationReader {
        store.reader(of: device, seesAll: outlet.devices(needing: .notificationAll).contains { $0.id == device })
    }

    private func last(_ changes: [NotificationChange]) -> ArraySlice<NotificationChange> {
        changes.count > Self.singlyLimit ? changes.suffix(1) : changes[...]
    }

    private func event(
        _ change: NotificationChange,
        for reader: NotificationReader,
        _ batch: NotificationBatch
    ) -> NotificationEvent {
        let told = change.row.told(to: reader)
        let kind: NotificationEvent.Kind =
            switch change.kind {
            case .alerted: .received(told)
            case .changed: .changed(told)
            case .deleted: .deleted(id: told.id)
            }
        // Counted together with what a limited reader does not see.
        let unread = reader.isLimited ? nil : batch.unread.reduce(0) { reader.hears($1.key) ? $0 + $1.value : $0 }
        return NotificationEvent(kind, epoch: epoch, sequence: change.row.sequence, unreadCount: unread)
    }

    /// A phone that catches up is told now or learns later, by its numbers.
    private func queue(
        _ change: NotificationChange,
        for device: OutletDevice,
        _ reader: NotificationReader,
        _ batch: NotificationBatch
    ) {
        let event = event(change, for: reader, batch)
        let wakes = change.kind == .alerted && !change.row.told(to: reader).isSilenced
        add(
            Item(
                event: event.event,
                kind: event.kind.declared(for: change.row),
                push: wakes && store.push(of: device.id) != nil ? change.row : nil
            ),
            to: .events(device.id),
            limit: Self.waitingLimit
        )
        reports[change.row.notification.id]?.finish(device.id, delivered: true)
    }

    private func hand(
        _ change: NotificationChange,
        to device: OutletDevice,
        _ reader: NotificationReader,
        _ batch: NotificationBatch
    ) {
        let event = event(change, for: reader, batch)
        add(
            Item(
                event: event.event,
                kind: event.kind.declared(for: change.row),
                way: device.keepsEvents ? .kept(key: change.row.notification.id) : .now,
                told: change.row.alert,
                report: reports[change.row.notification.id]
            ),
            to: .events(device.id),
            limit: device.keepsEvents ? Self.keptLimit : Self.waitingLimit
        )
    }

    // MARK: Lanes

    private func add(_ item: Item, to lane: Lane, limit: Int) {
        var waiting = lanes.removeValue(forKey: lane) ?? Waiting()
        if waiting.items.count >= limit {
            let dropped = waiting.items.removeFirst()
            if case .events(let device) = lane { dropped.report?.finish(device, delivered: false) }
        }
        waiting.items.append(item)
        let begins = !waiting.isSending
        waiting.isSending = true
        lanes[lane] = waiting
        if begins { tasks.add { await self.drain(lane) } }
    }

    /// Takes the items that wait in a lane at the moment, in their order.
    private func next(of lane: Lane) -> [Item] {
        guard let items = lanes[lane]?.items, !items.isEmpty else {
            lanes[lane] = nil
            return []
        }
        lanes[lane]?.items = []
        return items
    }

    private func drain(_ lane: Lane) async {
        while true {
            let items = next(of: lane)
            if items.isEmpty { return }
            switch lane {
            case .events(let device): await send(items, to: device)
            case .pushes(let device):
                for row in items.compactMap(\.push) { await push(row, to: device) }
            }
        }
    }

    private func send(_ items: [Item], to device: String) async {
        var told: [Int64] = []
        for item in items {
            let isTold = await send(item, to: device)
            if isTold, let alert = item.told { told.append(alert) }
            item.report?.finish(device, delivered: isTold)
        }
        guard !told.isEmpty else { return }
        do {
            _ = try await store.write(.told(told, device: device))
        } catch {
            // Only the list of who has what lacks a line.
            logger.error("what a phone was told is not noted", metadata: ["reason": "\(error)"])
        }
    }

    private func send(_ item: Item, to device: String) async -> Bool {
        do {
            switch item.way {
            case .now:
                let late = RemoteError.timeout(id: "", method: item.kind.name, after: Self.sendTimeout)
                try await withTimeout(Self.sendTimeout, on: time, throwing: late) { [outlet] in
                    try await outlet.send(item.kind, item.event.members, to: device)
                }
            case .kept(let key):
                try await outlet.keep(item.kind, item.event.members, replacing: key, for: device)
            }
            if let row = item.push { awaitConfirmation(of: row, by: device) }
            return true
        } catch {
            // It is away, too slow, or may not be told any more: it catches up, or is counted as not told.
            if item.push != nil { add(item, to: .pushes(device), limit: Self.pushLimit) }
            return false
        }
    }

    private func awaitConfirmation(of row: NotificationRow, by device: String) {
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

    private func wake(_ device: String, by row: NotificationRow) {
        let event = NotificationEvent(.received(row.told(to: .device(device))), epoch: epoch, sequence: row.sequence)
        add(
            Item(event: event.event, kind: event.kind.declared(for: row), push: row),
            to: .pushes(device),
            limit: Self.pushLimit
        )
    }

    /// - Returns: False where the push has to be sent again.
    @discardableResult
    private func push(_ row: NotificationRow, to device: String) async -> Bool {
        guard let pusher, let registration = store.push(of: device) else { return true }
        // The right to see it may have been taken back since.
        guard reader(of: device).sees(row) else { return true }
        let payload = PushPayload(
            row.notification,
            from: registration.computer,
            showsText: store.settings.showsPreview
        )
        let outcome = await pusher.wake(
            registration,
            with: payload.bytes,
            // The row's next text replaces one that the phone did not get yet.
            topic: row.notification.id,
            isUrgent: row.notification.priority >= .high
        )
        switch outcome {
        case .sent, .failed: break
        case .later(let after):
            postpone([row], of: device, for: after ?? .zero)
            return false
        case .gone:
            do {
                // The service may take long to say so, and the phone may have given another one meanwhile.
                _ = try await store.write(.unregister(device: device, registration))
            } catch {
                logger.error("a push registration that is over is still kept", metadata: ["reason": "\(error)"])
            }
        }
        return true
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

    // MARK: Who was told

    /// Reports from now on what becomes of one row for each of these phones.
    func watch(_ id: String, _ report: DeliveryReport) { reports[id] = report }
    func unwatch(_ id: String) { reports[id] = nil }

    func close() async {
        await tasks.end()
        lanes = [:]
    }
}

extension NotificationEvent.Kind {
    fileprivate func declared(for row: NotificationRow) -> EventKind {
        switch self {
        case .received: row.isMirrored ? .mirroredReceived : .notificationReceived
        case .changed, .deleted: row.isMirrored ? .mirroredChanged : .notificationChanged
        }
    }
}
