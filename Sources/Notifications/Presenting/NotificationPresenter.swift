import Kernel

/// Shows notifications to the person, by whatever the phone has for that. It replaces a banner of the same id, so that the same one that
/// comes twice, after a crash, is there once.
public protocol NotificationPresenter: Sendable {
    /// Whether banners may be shown. Asked before each time, and asks the person nothing.
    func authorization() async -> NotificationAuthorization
    /// Asks the person, where that was not done yet. For a screen that opens first.
    func requestAuthorization() async -> NotificationAuthorization
    /// Shows banners of one computer that came at one time; a presenter may show many as one. Returns once they are handed over: they count
    /// as shown then.
    func present(_ banners: [NotificationBanner]) async
    /// Takes away the banners of notifications that were read or deleted. Those that are not shown any more do not matter.
    func withdraw(_ ids: [KeptNotification.ID]) async
    /// How many of all computers were not read.
    func badge(_ count: Int) async
    /// Banners that the person pressed or closed, from now on: they count as read. For one reader; ends when its task is cancelled.
    func answers() async -> any AsyncSequence<KeptNotification.ID, Never> & Sendable
}

extension NotificationPresenter {
    public func authorization() async -> NotificationAuthorization { .authorized }
    public func requestAuthorization() async -> NotificationAuthorization { await authorization() }
    public func badge(_ count: Int) async {}
    public func answers() async -> any AsyncSequence<KeptNotification.ID, Never> & Sendable {
        AsyncStream { $0.finish() }
    }
}

/// Whether the person lets this phone show banners.
public enum NotificationAuthorization: String, Hashable, Sendable, Codable {
    /// The person was not asked yet.
    case notDetermined = "not-determined"
    case authorized
    /// Only what the app itself draws.
    case denied
}

/// A notification as it is shown.
public struct NotificationBanner: Hashable, Sendable, Identifiable {
    /// The documented category, under which an app declares its buttons.
    public static let category = "REMOTE_NOTIFICATION"

    public var id: KeptNotification.ID
    /// Shown once for each.
    public var alert: Int64
    /// Plain text, as the person's settings let it be seen.
    public var title: String
    public var body: String
    public var priority: NotificationPriority
    public var origin: NotificationOrigin
    public var hasSound: Bool
    /// The computer's name, where it is known.
    public var computerName: String?
    public var program: String?
    /// Milliseconds since 1970.
    public var createdAt: Int64

    /// The documented thread, by which systems put banners together.
    public var thread: String { "remote.\(origin.rawValue)" }

    init(_ kept: KeptNotification, alert: Int64, name: String?, settings: LocalNotificationSettings) {
        let notification = kept.notification
        id = kept.id
        self.alert = alert
        title = settings.preview ? notification.title : notification.program ?? name ?? "Notification"
        body = settings.preview ? notification.body : ""
        priority = notification.priority
        origin = notification.origin
        hasSound = settings.sound
        computerName = name
        program = notification.program
        createdAt = notification.createdAt
    }
}

extension [NotificationBanner] {
    /// More than this of one computer at one time are better shown as one.
    public static var summaryLimit: Int { 5 }

    /// A banner's title and text for all of these; nil where they are few, and each is shown.
    public var summary: (title: String, body: String)? {
        guard count > Self.summaryLimit, let last else { return nil }
        return ("\(count) notifications from \(last.computerName ?? "your computer")", last.title)
    }
}

/// Shows nothing itself: pages and commands of this phone's device follow the news.
public struct FollowedPresenter: NotificationPresenter {
    public init() {}
    public func present(_ banners: [NotificationBanner]) async {}
    public func withdraw(_ ids: [KeptNotification.ID]) async {}
}
