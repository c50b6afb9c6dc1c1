import CommandServer
import Kernel
import Logging
import Pairing
import Sealing
import Synchronization

/// Tells the owner, in the log and on the desktop, that a phone begins to watch or to hold something.
final class ActivityNotices: ActivityObserver {
    /// A phone that opens one shell after the other is told of once in this time.
    private static let interval = Duration.seconds(60)
    private static let shown: Set<Activity.Kind> = [.terminal, .terminalView, .clipboard, .screen]

    private struct Topic: Hashable {
        let device: String
        let kind: Activity.Kind
    }

    private let record: PhoneOutlet.Record
    private let notifier: (any DesktopNotifier)?
    private let tasks: TaskBag
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let lastShown = Mutex<[Topic: ContinuousClock.Instant]>([:])

    /// - Parameter tasks: Ends with the desktop; what is shown is shown beside everything else.
    init(
        record: @escaping PhoneOutlet.Record,
        notifier: (any DesktopNotifier)?,
        tasks: TaskBag,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now }
    ) {
        self.record = record
        self.notifier = notifier
        self.tasks = tasks
        self.logger = logger
        self.now = now
    }

    func began(_ activity: Activity) {
        let name = (try? DID(activity.device)).flatMap(record)?.name ?? activity.device
        logger.notice("a phone \(activity.words)", metadata: ["phone": "\(name)", "activity": "\(activity.id)"])
        guard let notifier, Self.shown.contains(activity.kind), isDue(activity) else { return }
        tasks.add { [logger] in
            do {
                try await notifier.notify(
                    "\(name) \(activity.words)",
                    "tandem activity list shows what phones do; tandem devices deny takes the right back."
                )
            } catch {
                // Nobody sits there, or the desktop shows no notifications: the log and `status` say it all the same.
                logger.debug("no notification shown", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func isDue(_ activity: Activity) -> Bool {
        let now = now()
        return lastShown.withLock { times in
            times = times.filter { now - $0.value < Self.interval }
            let topic = Topic(device: activity.device, kind: activity.kind)
            guard times[topic] == nil else { return false }
            times[topic] = now
            return true
        }
    }
}
