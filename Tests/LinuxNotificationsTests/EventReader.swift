import DesktopNotifications
import Kernel
import Synchronization

/// Reads the events of a bus as they come.
final class EventReader: Sendable {
    struct Silence: Error {
        let seen: [BusEvent]
    }

    private let seen = LatestValue<[BusEvent]>([])
    private let place = Mutex(0)
    private let task: Task<Void, Never>

    init(_ bus: any NotificationBus) {
        task = Task { [seen] in
            for await event in bus.events() { seen.update { $0.append(event) } }
            seen.finish()
        }
    }

    deinit { task.cancel() }

    func end() async {
        task.cancel()
        await task.value
    }

    /// The first event that `pick` takes, behind the one that was taken last.
    func next<Value: Sendable>(_ pick: @escaping @Sendable (BusEvent) -> Value?) async throws -> Value {
        try await withTimeout(SessionBus.patience, on: .system, throwing: Silence(seen: seen.value)) { [self] in
            for await events in seen.values() {
                let start = place.withLock(\.self)
                for (index, event) in events.enumerated().dropFirst(start) {
                    guard let value = pick(event) else { continue }
                    place.withLock { $0 = index + 1 }
                    return value
                }
            }
            throw Silence(seen: seen.value)
        }
    }

    func shown() async throws -> (id: UInt32, notification: BusNotification, replaces: UInt32?) {
        try await next {
            if case .shown(let id, let notification, let replaces) = $0 { (id, notification, replaces) } else { nil }
        }
    }

    func closed() async throws -> (id: UInt32, reason: BusCloseReason, isOurs: Bool) {
        try await next { if case .closed(let id, let reason, let isOurs) = $0 { (id, reason, isOurs) } else { nil } }
    }

    func available() async throws -> NotificationService {
        try await next { if case .available(let service) = $0 { service } else { nil } }
    }

    func unavailable() async throws -> String {
        try await next { if case .unavailable(let reason) = $0 { reason } else { nil } }
    }
}
