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
            rights: [.notificationAll, .notificationAct],
            migrations: NotificationStore.migrations
        ) { context in
            NotificationsFeature(
                PhoneNotifications(
                    store: NotificationStore(context.database),
                    presenter: presenter,
                    time: context.time,
                    logger: context.logger
                )
            )
        }
    }

    private let notifications: PhoneNotifications

    init(_ notifications: PhoneNotifications) { self.notifications = notifications }

    public var methods: [MethodDeclaration] { NotificationMethods.all }

    /// Pages follow the news of this phone instead.
    public var streamedEvents: Set<String> {
        [EventKind.notificationReceived.name, EventKind.notificationChanged.name]
    }

    public func controlRoutes(_ computers: any PairedComputers) -> [ControlRoute] {
        NotificationRoutes(PhoneSide(notifications, computers)) { try await computers.peer(named: $0) }.control
    }

    public func topics(_ computers: any PairedComputers) -> [ControlTopic] {
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

    public func run(_ computers: any PairedComputers) async { await notifications.run(computers) }

    public func close() async { await notifications.close() }
}
