import Kernel
import Notifications
import NotificationsHost
import Synchronization

/// A desktop on which one letter is shown from the start, each use of it noted.
final class RecordingDesktop: NotificationSource {
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let coming = Mutex<[SourceEvent]>([
        .available(canAct: true, reason: nil),
        .shown(
            SourceNotification(
                id: 1,
                program: "Post",
                title: "Letter from Bo",
                body: "Are you there?",
                icon: "mail",
                actions: [NotificationAction(id: "open", label: "Open")],
                canReply: true,
                picture: picture
            )
        ),
    ])
    private let isTaken = LatestValue(false)
    private let lastBanner = Atomic<SourceNotification.ID>(100)
    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    /// Returns once everything that is shown from the start is kept.
    func taken() async {
        for await isTaken in isTaken.values() where isTaken { return }
    }

    func events() async -> any AsyncSequence<SourceEvent, Never> & Sendable {
        AsyncStream(unfolding: { [self] in
            if let event = coming.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
            // The next one is asked for when the one before is kept.
            isTaken.set(true)
            for await _ in isTaken.values() {}
            return nil
        })
    }

    func close(_ id: SourceNotification.ID) async { log.note("take a notification from the desktop") }

    func act(_ id: SourceNotification.ID, action: String?, reply: String?) async throws {
        log.note("press a notification's button")
    }

    func show(_ banner: DesktopBanner, replacing id: SourceNotification.ID?) async throws -> SourceNotification.ID {
        log.note("show a notification on the desktop")
        return lastBanner.add(1, ordering: .relaxed).newValue
    }
}
