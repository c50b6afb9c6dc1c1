import DesktopNotifications
import Dispatch
import Kernel
import LinuxBus
import Synchronization

/// The connections to one session bus: one that watches it, and one that speaks, and may serve notifications itself.
final class BusSession: Sendable {
    /// The events since the last look.
    private struct Inbox {
        /// Another program asked for the name that we served.
        var isWanted = false
        var loss: BusError?
    }

    /// The time after another program asked for the name: one that was refused is started again within it, by a person or the system.
    static let modesty = Duration.seconds(60)

    let client: BusConnection
    private let monitor: BusConnection
    private let server: NotificationServer
    private let watch: MonitorWatch
    private let queue: DispatchQueue
    private let buffer: EventBuffer
    private let hears: LinuxNotificationBus.Hearing
    private let serves: Bool
    private let time: any TimeSource
    /// Says that there is something to look at.
    private let news: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let inbox: InboxBox
    private let tasks = OwnedTasks()
    private let current = Mutex<NotificationService?>(nil)

    /// The knowledge about a service that the bus may start.
    private enum Starting {
        case untried
        /// It was started. When it ends, the bus starts it again for the next notification.
        case works
        /// There is none, or it does not come up, as one for a screen on a machine without one.
        case fails
    }

    /// The time for a service to come up.
    static let startLimit = Duration.seconds(10)

    init(hears: LinuxNotificationBus.Hearing, serves: Bool, buffer: EventBuffer, time: any TimeSource) {
        let queue = DispatchQueue(label: "tandem.notifications")
        let (news, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inbox = InboxBox()
        let lose: @Sendable (BusError) -> Void = { error in
            inbox.state.withLock { $0.loss = $0.loss ?? error }
            tell.yield()
        }
        let server = NotificationServer(queue: queue, time: time)
        let watch = MonitorWatch(buffer: buffer, time: time)
        self.queue = queue
        self.buffer = buffer
        self.hears = hears
        self.serves = serves
        self.time = time
        self.news = news
        self.tell = tell
        self.inbox = inbox
        self.server = server
        self.watch = watch
        let note: @Sendable (BusMessage) -> Void = { message in
            switch watch.take(message) {
            case .owner(let isOurs):
                if !isOurs { server.stop() }
                tell.yield()
            case .wanted:
                guard server.isServing else { break }
                // At once, so that programs learn of it before the name is another's.
                server.stop()
                inbox.state.withLock { $0.isWanted = true }
                tell.yield()
            case nil: break
            }
        }
        client = BusConnection(
            queue: queue,
            time: time,
            handle: { message in
                if message.kind == .call {
                    server.take(message)
                } else if hears == .own {
                    note(message)
                }
            },
            ended: lose
        )
        monitor = BusConnection(queue: queue, time: time, handle: note, ended: lose)
    }

    /// The service that runs, once it is known.
    var service: NotificationService? { current.withLock(\.self) }

    /// Connects, and begins to watch.
    func open(_ address: String) async throws {
        try await client.openOwn(address)
        watch.begin(ownName: try await client.name(), on: queue)
        guard hears == .all else {
            buffer.hold()
            for rule in BusMonitor.ownRules { try await client.call(.bus("AddMatch", .text(rule))) }
            return
        }
        try await monitor.open(address, isMonitor: true)
        buffer.hold()
        try await monitor.call(
            BusRequest(
                destination: "org.freedesktop.DBus",
                path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus.Monitoring",
                member: "BecomeMonitor",
                [.texts(BusMonitor.rules), .unsigned(0)]
            )
        )
    }

    /// Tells the buffer what happens, until a connection is lost.
    ///
    /// - Parameter settled: Called when it is known first which service runs.
    /// - Throws: ``BusError``; `CancellationError` when its task is cancelled.
    func run(settled: () -> Void) async throws {
        var owner: String?
        var said: BusEvent?
        var closedUntil: ContinuousClock.Instant?
        var starting = Starting.untried
        func look() async throws {
            let holds = buffer.holds
            let isFree = closedUntil.map { time.now >= $0 } ?? true
            let (newOwner, event) = try await state(mayServe: isFree, &starting)
            let isKnown = newOwner == owner && event == said
            guard buffer.release(isKnown ? nil : event, holds: holds) else { return }
            (owner, said) = (newOwner, event)
        }
        try await look()
        settled()
        for await _ in news {
            let found = inbox.state.withLock { state in
                defer { state = Inbox() }
                return state
            }
            if let loss = found.loss { throw loss }
            if found.isWanted {
                let reopening = time.now + Self.modesty
                closedUntil = reopening
                // A screen may be there by now, or it would not have asked.
                starting = .untried
                try await client.call(.bus("ReleaseName", .text(NotificationsName.service)))
                tasks.add { [time, tell] in if await time.pause(until: reopening) { tell.yield() } }
            }
            try await look()
        }
        throw CancellationError()
    }

    /// Ends both connections; programs learn that what we served is closed.
    func close() async {
        queue.async { [server] in server.stop() }
        client.close()
        monitor.close()
        tell.finish()
        await tasks.end()
    }

    /// Presses a button of one that we serve.
    func invoke(_ action: String, reply: String?, of id: UInt32) async throws {
        try await onQueue { [server] in try server.invoke(action, reply: reply, of: id) }
    }

    /// Closes one that we serve, for a person.
    func dismiss(_ id: UInt32) async throws { try await onQueue { [server] in try server.dismiss(id) } }

    /// The application and the id of a notification that a GTK program showed; nil for one that is closed.
    func gtkNotification(_ number: UInt32) async -> GtkNotificationID? {
        await withCheckedContinuation { continuation in
            queue.async { [watch] in continuation.resume(returning: watch.gtkNotification(number)) }
        }
    }

    private func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// The owner of the notification service now; begins to serve where no program does and we may.
    private func state(
        mayServe isFree: Bool,
        _ starting: inout Starting
    ) async throws -> (owner: String?, event: BusEvent) {
        var owner = try await nameOwner()
        if owner == nil, serves, starting == .untried {
            starting = try await startService()
            owner = try await nameOwner()
        }
        if owner == nil, serves, isFree, starting == .fails {
            // 1: another may replace us. 4: never wait for it.
            let answer = try await client.call(
                .bus("RequestName", .text(NotificationsName.service), .unsigned(1 | 4))
            ) { [server, client] message -> UInt32? in
                let answer = message.unsigned()
                if answer == 1 { server.start(on: client) }
                return answer
            }
            owner = answer == 1 ? try await client.name() : try await nameOwner()
        }
        guard let owner else {
            current.withLock { $0 = nil }
            return (nil, .unavailable("\(NotificationBusError.noService)"))
        }
        let isOurs = owner == (try await client.name())
        // It is not known whether the bus starts a program again that came by itself.
        if !isOurs, starting == .fails { starting = .untried }
        let service = isOurs ? NotificationServer.service : try await describe(owner)
        current.withLock { $0 = service }
        return (owner, .available(service))
    }

    /// Has the bus start the service that it knows, once.
    private func startService() async throws -> Starting {
        guard try await client.canStartService() else { return .fails }
        do {
            try await client.call(
                .bus("StartServiceByName", .text(NotificationsName.service), .unsigned(0)),
                within: Self.startLimit
            )
            return .works
        } catch BusError.unreachable(let reason) {
            throw BusError.unreachable(reason: reason)
        } catch is BusError {
            return .fails
        }
    }

    private func nameOwner() async throws -> String? {
        do {
            return try await client.call(.bus("GetNameOwner", .text(NotificationsName.service))) { $0.text(limit: 255) }
        } catch BusError.noService {
            return nil
        }
    }

    private func describe(_ owner: String) async throws -> NotificationService {
        do {
            return try await client.describeService()
        } catch BusError.unreachable(let reason) {
            throw BusError.unreachable(reason: reason)
        } catch is BusError {
            // It owns the name and does not say who it is. What it is asked to show is seen all the same.
            return NotificationService(name: owner)
        }
    }

    private final class InboxBox: Sendable {
        let state = Mutex(Inbox())
    }
}
