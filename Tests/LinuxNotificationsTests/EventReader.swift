import DesktopNotifications
import Kernel
import LinuxDesktopTesting
import Synchronization

/// Reads the events of a bus as they come.
final class EventReader: Sendable {
    struct Silence: Error {
        let last: [BusEvent]
    }

    /// What came so far.
    private final class Seen: Sendable {
        private let events = Mutex<[BusEvent]>([])
        let count = LatestValue(0)

        func add(_ event: BusEvent) {
            count.set(
                events.withLock { events in
                    events.append(event)
                    return events.count
                }
            )
        }

        subscript(index: Int) -> BusEvent { events.withLock { $0[index] } }

        var last: [BusEvent] { events.withLock { Array($0.suffix(5)) } }
    }

    private let seen = Seen()
    /// Behind the event that was taken last.
    private let place = Mutex(0)
    private let task: Task<Void, Never>

    init(_ bus: any NotificationBus) {
        task = Task { [seen] in
            for await event in bus.events() { seen.add(event) }
            seen.count.finish()
        }
    }

    deinit { task.cancel() }

    func end() async {
        task.cancel()
        await task.value
    }

    /// The first event that `pick` takes, behind the one that was taken last.
    func next<Value: Sendable>(_ pick: @escaping @Sendable (BusEvent) -> Value?) async throws -> Value {
        do {
            return try await search(pick)
        } catch is Silence {
            // As it is now, not as it was when the search began.
            throw Silence(last: seen.last)
        }
    }

    private func search<Value: Sendable>(_ pick: @escaping @Sendable (BusEvent) -> Value?) async throws -> Value {
        try await withTimeout(SessionBus.patience, on: .system, throwing: Silence(last: [])) { [self] in
            var index = place.withLock(\.self)
            for await count in seen.count.values() {
                while index < count {
                    defer { index += 1 }
                    guard let value = pick(seen[index]) else { continue }
                    place.withLock { $0 = index + 1 }
                    return value
                }
            }
            throw Silence(last: [])
        }
    }

    func shown() async throws -> (id: UInt32, notification: BusNotification, replaces: UInt32?) {
        try await next {
            if case .shown(let id, let notification, let replaces) = $0 { (id, notification, replaces) } else { nil }
        }
    }

    func closed() async throws -> (id: UInt32, reason: BusCloseReason) {
        try await next { if case .closed(let id, let reason) = $0 { (id, reason) } else { nil } }
    }

    func available() async throws -> NotificationService {
        try await next { if case .available(let service) = $0 { service } else { nil } }
    }

    func unavailable() async throws -> String {
        try await next { if case .unavailable(let reason) = $0 { reason } else { nil } }
    }
}
