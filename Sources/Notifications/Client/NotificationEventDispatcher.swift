public import Commands
public import Kernel
import Synchronization

/// Recently received notifications of computers that do not number their changes: the documented 256 for 30 seconds.
struct RecentNotifications {
    /// Identifies one alert. The same notification has another key when it wants to be noticed again.
    struct Key: Hashable, Sendable {
        let computer: String
        let id: String
        let alert: Int64?

        init(_ notification: RemoteNotification, of computer: String) {
            self.computer = computer
            id = notification.id
            alert = notification.alert
        }
    }
}

/// The documented reader of pushes, for a program that keeps nothing: hands on each notification once and has it shown. A phone of ours
/// keeps its notifications and catches up: ``NotificationInbox``.
public actor NotificationEventDispatcher {
    /// Notifications that are remembered, and for how long: a repeat within that time is dropped.
    public static let recent = (capacity: 256, lifetime: Duration.seconds(30))

    /// Where the dispatcher stands.
    public struct State: Hashable, Sendable {
        /// It follows a computer. Ends with ``NotificationEventDispatcher/stop()``, and when the computer is forgotten.
        public var isRunning = false
        public var authorization = NotificationAuthorization.notDetermined
        /// The last one that was accepted.
        public var latest: RemoteNotification?
        /// Accepted since the start; silenced ones count, since they are unread in the history.
        public var unread = 0
    }

    /// The outcome of a push.
    public enum Outcome: Hashable, Sendable {
        /// A banner was handed to the presenter.
        case presented
        /// Only the program itself shows it: the person did not allow banners.
        case inApp
        /// It came in quiet hours.
        case silenced
        /// A repeat, or notifications are switched off here.
        case dropped
        /// No notification, or one without an id, a title or a body.
        case ignored
    }

    private let presenter: any NotificationPresenter
    private let settings: @Sendable () async -> LocalNotificationSettings
    private let time: any TimeSource
    private let current = LatestValue(State(), capacity: 16)
    private let broadcaster = Broadcaster<RemoteNotification>()
    private var seen = ExpiringSet<RecentNotifications.Key>(capacity: recent.capacity, lifetime: recent.lifetime)
    /// The start that counts; nil where it does not run. One that was stopped, or ended, knows itself by its number.
    private var running: Int?
    private var lastStart = 0
    private var following: Task<Void, Never>?

    public init(
        presenter: any NotificationPresenter,
        settings: @escaping @Sendable () async -> LocalNotificationSettings = { LocalNotificationSettings() },
        time: any TimeSource = .system
    ) {
        self.presenter = presenter
        self.settings = settings
        self.time = time
    }

    /// The current state, and the state after each change.
    public nonisolated func states() -> AsyncStream<State> { current.values() }
    public nonisolated var state: State { current.value }

    /// The notifications accepted from now on, silenced ones included.
    public nonisolated func accepted() -> AsyncStream<RemoteNotification> { broadcaster.subscribe() }

    /// Follows a computer's events, through every reconnect, until ``stop()`` or until the computer is forgotten. Does nothing while it runs.
    ///
    /// - Throws: The errors of the computer's events.
    public func start(_ computer: any Peer) async throws {
        guard running == nil else { return }
        // Before anything is awaited: a second start must find it.
        lastStart += 1
        let start = lastStart
        running = start
        let events: AsyncStream<RemoteEvent>
        do {
            events = try await computer.events()
        } catch {
            end(start)
            throw error
        }
        let authorization = await presenter.authorization()
        // It may have been stopped meanwhile.
        guard running == start else { return }
        current.update {
            $0.isRunning = true
            $0.authorization = authorization
        }
        following = Task {
            for await event in events { await receive(event, of: computer.id) }
            end(start)
        }
    }

    /// Ends it. What is remembered stays, so that a repeat after the next start is one. Does nothing where it does not run.
    public func stop() async {
        if let running { end(running) }
    }

    private func end(_ start: Int) {
        guard running == start else { return }
        running = nil
        following?.cancel()
        following = nil
        current.update { $0.isRunning = false }
    }

    /// Takes one event.
    @discardableResult
    public func receive(_ event: RemoteEvent, of computer: String) async -> Outcome {
        guard let event = NotificationEvent(event), case .received(let told) = event.kind else { return .ignored }
        let notification = told.dated(time.date)
        let settings = await settings()
        guard settings.enabled, seen.insert(RecentNotifications.Key(notification, of: computer), now: time.now) else {
            return .dropped
        }
        current.update {
            $0.latest = notification
            $0.unread += notification.isRead ? 0 : 1
        }
        broadcaster.send(notification)
        guard !notification.isSilenced else { return .silenced }
        let authorization = await presenter.authorization()
        current.update { $0.authorization = authorization }
        guard authorization == .authorized else { return .inApp }
        let kept = KeptNotification(
            computer: computer,
            notification: notification,
            isWaiting: false,
            place: NotificationPlace(createdAt: notification.createdAt, position: 0)
        )
        await presenter.present([
            NotificationBanner(kept, alert: notification.alert ?? 0, name: nil, settings: settings)
        ])
        return .presented
    }
}
