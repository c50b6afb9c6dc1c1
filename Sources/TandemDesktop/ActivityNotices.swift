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

    private struct Topic: Hashable {
        let device: String
        let kind: Activity.Kind
    }

    private let record: @Sendable (DID) -> PairedPhone?
    private let notifier: (any DesktopNotifier)?
    private let tasks: OwnedTasks
    private let logger: Logger
    private let time: any TimeSource
    private let lastShown = Mutex<[Topic: ContinuousClock.Instant]>([:])

    /// - Parameter tasks: Ends with the desktop; what is shown is shown beside everything else.
    init(
        record: @escaping @Sendable (DID) -> PairedPhone?,
        notifier: (any DesktopNotifier)?,
        tasks: OwnedTasks,
        logger: Logger,
        time: any TimeSource = .system
    ) {
        self.record = record
        self.notifier = notifier
        self.tasks = tasks
        self.logger = logger
        self.time = time
    }

    func began(_ activity: Activity) {
        let name = (try? DID(activity.device)).flatMap(record)?.name ?? activity.device
        guard activity.device != OwnerPeer.id else {
            // Who sits here sees what they open: a notice of each visit to the own page would hide those of phones.
            return logger.debug("the owner \(activity.words)", metadata: ["activity": "\(activity.id)"])
        }
        logger.notice("a phone \(activity.words)", metadata: ["phone": "\(name)", "activity": "\(activity.id)"])
        guard let notifier, activity.kind.isShown, isDue(activity) else { return }
        tasks.add { [logger] in
            do {
                try await notifier.notify(
                    "\(name) \(activity.words)",
                    "tandem activity list shows what phones do; tandem devices deny takes the right back."
                )
            } catch {
                // No person sits there, or the desktop shows no notifications: the log and `status` say it all the same.
                logger.debug("no notification shown", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func isDue(_ activity: Activity) -> Bool {
        let now = time.now
        return lastShown.withLock { times in
            times = times.filter { now - $0.value < Self.interval }
            let topic = Topic(device: activity.device, kind: activity.kind)
            guard times[topic] == nil else { return false }
            times[topic] = now
            return true
        }
    }
}
