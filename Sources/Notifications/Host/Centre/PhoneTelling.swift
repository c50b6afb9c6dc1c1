import CommandServer
import Commands
import Feed
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

    private struct Item: FeedItem {
        var event: RemoteEvent
        var kind: EventKind
        /// The key under which it is kept on disk; nil: it is told now.
        var key: String?
        /// The row to wake the phone with, where it is not here.
        var push: NotificationRow?
        /// The `alert` of a row that is handed to a phone that does not catch up.
        var told: Int64?
        var report: DeliveryReport?
    }

    private let store: NotificationDatabase
    private let outlet: any DeviceOutlet
    private let pushes: PhonePushes
    private let time: any TimeSource
    private let logger: Logger
    private var reports: [String: DeliveryReport] = [:]
    private let epoch: String
    nonisolated let ownerEvents = Broadcaster<RemoteEvent>()
    private lazy var lanes = FeedLanes<String, Item> { [weak self] items, visit in
        await self?.send(items, to: visit.follower)
    }

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
        pushes = PhonePushes(store: store, outlet: outlet, pusher: pusher, time: time, logger: logger)
        self.time = time
        self.logger = logger
    }

    /// Returns once everything is in its lane.
    func tell(_ batch: NotificationBatch) {
        let devices = outlet.devices(needing: .notification)
        let readers = Dictionary(
            devices.map { ($0.id, store.reader(of: $0.id, through: outlet)) },
            uniquingKeysWith: { first, _ in first }
        )
        let syncing = store.syncingDevices
        for changes in batch.writes {
            for change in last(changes) { ownerEvents.send(event(change, for: .owner, batch).event) }
            for device in devices {
                guard let reader = readers[device.id] else { continue }
                let own = changes.filter { reader.sees($0.row) }
                let catchesUp = syncing.contains(device.id)
                // One that does not catch up knows only what is new.
                for change in catchesUp ? last(own) : own.filter({ $0.kind == .alerted })[...] {
                    add(change, for: device, reader, batch, catchesUp: catchesUp)
                }
            }
        }
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

    // MARK: Lanes

    /// - Parameter catchesUp: The phone is told now or learns later, by its numbers; any other is handed the event.
    private func add(
        _ change: NotificationChange,
        for device: OutletDevice,
        _ reader: NotificationReader,
        _ batch: NotificationBatch,
        catchesUp: Bool
    ) {
        let event = event(change, for: reader, batch)
        let id = change.row.notification.id
        var item = Item(event: event.event, kind: event.kind.declared(for: change.row))
        if catchesUp {
            let wakes = change.kind == .alerted && !change.row.told(to: reader).isSilenced
            item.push = wakes && store.push(of: device.id) != nil ? change.row : nil
        } else {
            item.key = device.keepsEvents ? id : nil
            item.told = change.row.alert
            item.report = reports[id]
        }
        let dropped = lanes.add(item, to: device.id, limit: item.key == nil ? Self.waitingLimit : Self.keptLimit)
        dropped?.report?.finish(device.id, delivered: false)
        if catchesUp { reports[id]?.finish(device.id, delivered: true) }
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
            if let key = item.key {
                try await outlet.keep(item.kind, item.event.members, replacing: key, for: device)
            } else {
                let late = RemoteError.timeout(id: "", method: item.kind.name, after: Self.sendTimeout)
                try await withTimeout(Self.sendTimeout, on: time, throwing: late) { [outlet] in
                    try await outlet.send(item.kind, item.event.members, to: device)
                }
            }
            if let row = item.push { await pushes.awaitConfirmation(of: row, by: device) }
            return true
        } catch {
            // It is away, too slow, or may not be told any more: it catches up, or is counted as not told.
            if let row = item.push { await pushes.wake(device, by: row) }
            return false
        }
    }

    /// Whether the push service of a phone refuses everything.
    func isPushRefused(by device: String) async -> Bool { await pushes.refused().contains(device) }

    /// The names of phones whose push service refuses everything.
    func unwakable() async -> [String] {
        let refused = await pushes.refused()
        return outlet.devices(needing: .notification).filter { refused.contains($0.id) }.map(\.name).sorted()
    }

    // MARK: Who was told

    /// Reports from now on what becomes of one row for each of these phones.
    func watch(_ id: String, _ report: DeliveryReport) { reports[id] = report }
    func unwatch(_ id: String) { reports[id] = nil }

    func close() async {
        // First: a phone whose event is cancelled here is not woken for that.
        await pushes.close()
        await lanes.close()
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
