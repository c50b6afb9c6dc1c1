package import DesktopNotifications
import Dispatch
package import Kernel
import LinuxBus
import Synchronization

/// The notifications of a Linux desktop, on its session bus. Source: the Desktop Notifications Specification 1.2.
package final class LinuxNotificationBus: NotificationBus {
    /// The waits before the next try; with its jitter one is at most a minute.
    private static let waits: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(50),
    ]

    /// The notifications that ``events()`` tells of.
    package enum Hearing: Hashable, Sendable {
        /// Notifications of all programs of the session.
        case all
        /// Events of those that are shown here. The bus hands over nothing else.
        case own
    }

    private let environment: [String: String]
    private let hears: Hearing
    private let serves: Bool
    private let time: any TimeSource
    private let session = Mutex<BusSession?>(nil)

    /// - Parameters:
    ///   - environment: Of the person's session.
    ///   - hears: Whose events are told. With ``Hearing/own`` services tell some of other programs' too.
    ///   - serves: Where a session bus has no notification service and can start none, this program is it while ``events()`` are
    ///     read: programs can show notifications on a machine without a screen. It gives way to any other.
    package init(
        environment: [String: String],
        hears: Hearing = .all,
        serves: Bool,
        time: any TimeSource = .system
    ) {
        self.environment = environment
        self.hears = hears
        self.serves = serves
        self.time = time
    }

    package func events() -> AsyncStream<BusEvent> {
        let buffer = EventBuffer()
        let reading = Reading(task: Task { await self.run(buffer) })
        return AsyncStream(
            unfolding: { await reading.next(of: buffer) },
            onCancel: { reading.task.cancel() }
        )
    }

    package func show(_ notification: BusNotification, replacing replaced: UInt32?) async throws -> UInt32 {
        try await withClient { client, service in
            var capabilities = service?.capabilities
            if capabilities == nil {
                capabilities = try await client.call(.service("GetCapabilities")) {
                    $0.texts(count: 64, limit: BusNotification.nameLimit)
                }
            }
            return try await client.show(notification, replacing: replaced, capabilities: capabilities ?? [])
        }
    }

    package func close(_ id: UInt32) async throws {
        if id >= GtkNumbers.first { return try await removeGtk(id) }
        if let session = session.withLock(\.self), session.service?.isOurs == true {
            return try await session.dismiss(id)
        }
        try await withClient { client, _ in
            try await client.call(.service("CloseNotification", [.unsigned(id)], starts: false))
        }
    }

    package func invoke(action: String, reply: String?, of id: UInt32) async throws {
        guard id < GtkNumbers.first else { throw NotificationBusError.notPossible(service: GtkName.service) }
        if let session = session.withLock(\.self), session.service?.isOurs == true {
            return try await session.invoke(action, reply: reply, of: id)
        }
        let service = try await service()
        guard reply == nil || service.canReply, service.canInvoke,
            let request = ServiceDoor.request(of: service.name, action: action, id: id)
        else { throw NotificationBusError.notPossible(service: service.name) }
        try await withClient { client, _ in try await client.call(request) }
    }

    private func removeGtk(_ number: UInt32) async throws {
        guard let session = session.withLock(\.self), let id = await session.gtkNotification(number) else {
            throw NotificationBusError.closed(id: number)
        }
        let request = BusRequest(
            destination: GtkName.service,
            path: GtkName.path,
            interface: GtkName.service,
            member: GtkName.remove,
            [.text(id.application), .text(id.id)],
            startsService: false
        )
        try await NotificationBusError.telling { try await session.client.call(request) }
    }

    package func service() async throws -> NotificationService {
        try await withClient { client, service in
            if let service { return service }
            return try await client.describeService()
        }
    }

    /// Whether the session's bus starts a service once one is needed.
    func canStartService() async throws -> Bool {
        try await withClient { client, _ in try await client.canStartService() }
    }

    /// The connection that is there, or one for this work only.
    private func withClient<Value: Sendable>(
        _ body: (BusConnection, NotificationService?) async throws -> Value
    ) async throws -> Value {
        try await NotificationBusError.telling {
            if let session = session.withLock(\.self) { return try await body(session.client, session.service) }
            let address = try SessionBusAddress.find(in: environment)
            let client = BusConnection(
                queue: DispatchQueue(label: "tandem.notifications.once"),
                time: time,
                handle: { _ in },
                ended: { _ in }
            )
            defer { client.close() }
            try await client.openOwn(address)
            return try await body(client, nil)
        }
    }

    private func run(_ buffer: EventBuffer) async {
        var backoff = Backoff(steps: Self.waits)
        var said: String?
        while !Task.isCancelled {
            let current = BusSession(hears: hears, serves: serves, buffer: buffer, time: time)
            do {
                try await current.open(SessionBusAddress.find(in: environment))
                session.withLock { $0 = current }
                try await current.run {
                    backoff.reset()
                    said = nil
                }
            } catch {
                let reason = (error as? BusError).map { "\(NotificationBusError($0))" } ?? "\(error)"
                session.withLock { $0 = nil }
                // Closed first: what comes after this is of another connection.
                await current.close()
                buffer.release(Task.isCancelled || reason == said ? nil : .unavailable(reason), holds: buffer.holds)
                said = reason
            }
            guard await time.pause(for: backoff.next()) else { break }
        }
        buffer.finish()
    }
}

/// The work behind a stream of events, which ends with it.
private final class Reading: Sendable {
    let task: Task<Void, Never>

    init(task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    func next(of buffer: EventBuffer) async -> BusEvent? { await buffer.next() }
}
