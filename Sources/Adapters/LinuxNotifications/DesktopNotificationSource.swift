package import DesktopNotifications
import Foundation
package import Kernel
package import Logging
import Notifications
package import NotificationsHost
package import Pictures

/// The desktop's notifications as the feature hears them: what a bus tells, in the feature's words.
package struct DesktopNotificationSource: NotificationSource {
    /// The width of pictures in pixels: phones show them beside the text.
    private static let pictureWidth = 256

    private let bus: any NotificationBus
    private let pictures: PictureFitter
    private let files: ClaimedPictures
    private let logger: Logger

    /// - Parameter pictures: Makes what programs give small enough.
    package init(
        _ bus: any NotificationBus,
        pictures: any PictureEncoder,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.bus = bus
        files = ClaimedPictures(time: time)
        self.pictures = PictureFitter(encoder: pictures)
        self.logger = logger
    }

    package func events() async -> any AsyncSequence<SourceEvent, Never> & Sendable {
        let doors = BusDoors()
        return bus.events().compactMap { await self.event($0, doors) }
    }

    package func close(_ id: SourceNotification.ID) async {
        // One that is closed already, and a desktop that went away meanwhile, leave nothing to do.
        try? await bus.close(id)
    }

    package func act(_ id: SourceNotification.ID, action: String?, reply: String?) async throws {
        try await bus.invoke(action: action ?? BusNotification.replyAction, reply: reply, of: id)
    }

    package func show(_ banner: DesktopBanner, replacing id: SourceNotification.ID?) async throws
        -> SourceNotification.ID
    {
        let title = banner.sender.map { "\(banner.title) (\($0))" } ?? banner.title
        let notification = BusNotification(
            programName: "Tandem",
            title: title,
            body: banner.body,
            urgency: banner.priority.urgency,
            // Another computer's half in this session leaves it to this one to tell its phones.
            isPresented: true
        )
        return try await bus.show(notification, replacing: id)
    }

    private func event(_ event: BusEvent, _ doors: BusDoors) async -> SourceEvent? {
        switch event {
        case .available(let service):
            await doors.open(service)
            return .available(canAct: service.canInvoke, reason: service.limits, isSeen: !service.isOurs)
        case .unavailable(let reason): return .unavailable(reason: reason)
        case .shown(let id, let notification, _):
            // Such as a new volume: it means nothing a moment later, and nothing elsewhere. What had the id before has gone.
            guard !notification.isTransient else { return .closed(id, .withdrawn) }
            // A computer told it to the phone that shows it: told again, it would go round for ever.
            guard !notification.isPresented else { return nil }
            return .shown(
                SourceNotification(
                    id: id,
                    program: notification.program,
                    title: notification.title.isEmpty ? notification.program : notification.title,
                    body: await doors.takesMarkup ? notification.body : notification.asSent ?? notification.body,
                    priority: NotificationPriority(notification.urgency),
                    key: notification.syncKey,
                    progress: notification.value,
                    icon: notification.iconName,
                    actions: await doors.canInvoke && !notification.onlyDesktopActs ? notification.buttons : [],
                    canReply: await doors.canReply && notification.canReply,
                    picture: await picture(of: notification)
                )
            )
        case .closed(let id, let reason):
            switch reason {
            // Nobody says that a person saw to it, nor that it is over.
            case .expired, .undefined: return .closed(id, .expired)
            case .dismissed: return .closed(id, .dismissed)
            case .byProgram: return .closed(id, .withdrawn)
            }
        // The service closes what was pressed or answered, unless its program wants it to stay.
        case .actionInvoked, .replied: return nil
        case .missed(let count):
            logger.notice("notifications of the desktop came too fast", metadata: ["left out": "\(count)"])
            return nil
        }
    }

    private func picture(of notification: BusNotification) async -> [UInt8]? {
        let given: [UInt8]?
        switch notification.image {
        case .pixels(let pixels): given = UncompressedPNG.bytes(of: pixels)
        case .path(let path): given = await files.bytes(at: path)
        case .file(let bytes): given = bytes
        case nil: given = if let icon = notification.icon { await files.bytes(at: icon) } else { nil }
        }
        guard let given else { return nil }
        do {
            let wish = PictureFitter.Wish(maxWidth: Self.pictureWidth)
            return try await pictures.fit(given, wish, within: NotificationLimits.image).picture.bytes
        } catch {
            logger.debug("a notification's picture is left out", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}

/// The abilities that the running service gives other programs.
private actor BusDoors {
    private(set) var canInvoke = false
    private(set) var canReply = false
    /// Whether programs may send it markup. Where it says that it takes none, they send plain text, in which `<p>` is what somebody wrote.
    private(set) var takesMarkup = true

    func open(_ service: NotificationService) {
        canInvoke = service.canInvoke
        canReply = service.canReply
        // One that does not say what it takes is sent markup by many programs all the same.
        takesMarkup = service.capabilities.isEmpty || service.capabilities.contains("body-markup")
    }
}

extension NotificationService {
    /// The limits for a phone, in a sentence; nil where the service lets it do everything.
    fileprivate var limits: String? {
        let service = name.isEmpty ? "This desktop's notification service" : "The notification service here, \(name),"
        if !canInvoke {
            return """
                \(service) lets no other program press buttons, so phones are told notifications without them. Press them at \
                the computer.
                """
        }
        return canReply
            ? nil : "\(service) lets phones press buttons, but takes no answers in words from other programs."
    }
}

extension BusNotification {
    fileprivate var program: String {
        if !programName.isEmpty { return programName }
        return desktopEntry ?? "A program of the desktop"
    }

    /// Nil for a path, which means nothing elsewhere.
    fileprivate var iconName: String? { icon.flatMap { $0.contains("/") ? nil : $0 } }

    fileprivate var buttons: [NotificationAction] {
        actions.filter { $0.key != Self.replyAction }.map { action in
            let isUnnamed = action.label.isEmpty || action.key == Self.defaultAction && action.label == action.key
            return NotificationAction(id: action.key, label: isUnnamed ? "Open" : action.label)
        }
    }
}

extension NotificationPriority {
    fileprivate init(_ urgency: BusUrgency) {
        switch urgency {
        case .low: self = .low
        case .normal: self = .normal
        case .critical: self = .urgent
        }
    }

    fileprivate var urgency: BusUrgency {
        switch self {
        case .low: .low
        case .normal, .high: .normal
        case .urgent: .critical
        }
    }
}
