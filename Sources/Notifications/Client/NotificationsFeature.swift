public import Capabilities
public import CommandClient
public import Commands
public import Control
import Kernel
import Rights

/// A phone's half of notifications.
public struct NotificationsFeature: PeerFeature {
    /// For `PhoneConfiguration.features` of a phone whose pages and commands show what comes.
    public static let maker = maker(presenter: FollowedPresenter())

    /// For an app that shows banners itself.
    public static func maker(presenter: any NotificationPresenter) -> PeerFeatureMaker {
        PeerFeatureMaker(
            "notifications",
            rights: [.notificationAll, .notificationAct],
            migrations: NotificationStore.migrations,
            sections: [NotificationStore.section]
        ) { context in
            NotificationsFeature(
                PhoneNotifications(
                    store: NotificationStore(context.database),
                    presenter: presenter,
                    time: context.time,
                    logger: context.logger
                ),
                context.computers
            )
        }
    }

    private let notifications: PhoneNotifications
    private let computers: any PairedComputers

    init(_ notifications: PhoneNotifications, _ computers: any PairedComputers) {
        self.notifications = notifications
        self.computers = computers
    }

    public var methods: [MethodDeclaration] { NotificationMethods.all }

    /// Pages follow the news of this phone instead.
    public var streamedEvents: Set<String> {
        [EventKind.notificationReceived.name, EventKind.notificationChanged.name]
    }

    public var controlRoutes: [ControlRoute] {
        NotificationRoutes(PhoneSide(notifications, computers)) { [computers] in
            try await computers.peer(named: $0)
        }.control
    }

    public var topics: [ControlTopic] {
        [
            ControlTopic(NotificationsControl.topic) { [notifications] tell in
                let (news, settings) = (notifications.news(), notifications.changedSettings())
                tell([:])
                await withDiscardingTaskGroup { group in
                    group.addTask { for await one in news { tell(["device": .string(one.computer)]) } }
                    group.addTask { for await _ in settings { tell(["local": true]) } }
                }
            }
        ]
    }

    public func part(for computer: ComputerContext) -> (any ComputerPart)? {
        NotificationInbox(computer, notifications)
    }

    public func run() async { await notifications.run(computers) }

    public func close() async { await notifications.close() }
}
