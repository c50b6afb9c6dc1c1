package import Capabilities
package import CommandServer
import Commands
package import Foundation
package import GRDB
package import Kernel
package import Logging
import Notifications
import Rights

/// A computer's notifications, kept and told to its phones. Source: `docs/notifications.md`.
package final class NotificationsSkill: CommandFeature {
    /// How long an answer waits for what becomes of a notification at phones that do not catch up.
    static let deliveryTime: Duration = .seconds(5)
    /// How often what is too old leaves the history, where nothing else is written.
    static let tidyPace: Duration = .seconds(3600)

    let store: NotificationDatabase
    let centre: NotificationCentre
    let telling: PhoneTelling
    let mirror: DesktopMirror
    let outlet: any DeviceOutlet
    let pusher: (any PhonePusher)?
    let time: any TimeSource
    private let announcements: Announcements
    private let logger: Logger

    /// The services of one machine that the feature works with.
    package struct Services: Sendable {
        /// Nil where this system has none.
        package var source: (any NotificationSource)?
        /// Nil where nothing sends pushes.
        package var pusher: (any PhonePusher)?
        /// The computer's.
        package var timeZone: @Sendable () -> TimeZone

        package init(
            source: (any NotificationSource)? = nil,
            pusher: (any PhonePusher)? = nil,
            timeZone: @escaping @Sendable () -> TimeZone = { .ofSystemNow }
        ) {
            self.source = source
            self.pusher = pusher
            self.timeZone = timeZone
        }
    }

    /// - Parameter database: With the feature's tables.
    /// - Throws: SQLite's error.
    package init(
        _ services: Services,
        database: any DatabaseWriter,
        outlet: any DeviceOutlet,
        announcements: Announcements,
        time: any TimeSource = .system,
        logger: Logger
    ) throws {
        store = try NotificationDatabase(
            database,
            devices: { Set(outlet.devices(needing: .notification).map(\.id)) },
            time: time
        )
        centre = NotificationCentre(store: store, time: time, timeZone: services.timeZone, logger: logger)
        mirror = DesktopMirror(source: services.source, store: store, centre: centre, logger: logger)
        telling = PhoneTelling(
            store: store,
            epoch: try store.epoch(),
            outlet: outlet,
            pusher: services.pusher,
            time: time,
            logger: logger
        )
        self.outlet = outlet
        pusher = services.pusher
        self.time = time
        self.announcements = announcements
        self.logger = logger
        store.tell { [telling, mirror] batch in
            await telling.tell(batch)
            await mirror.note(batch)
        }
    }

    /// Where push services reach this computer's owner. Apple's takes no message without it.
    package static let contactSetting = FeatureSetting(
        "pushContact",
        .text,
        summary: "where push services can reach you, as mailto:you@example.com; Apple's wants it"
    )

    package static let manifest = FeatureManifest(
        "notifications",
        rights: [.notificationAll, .notificationAct],
        settings: [contactSetting],
        migrations: NotificationTables.migrations
    )

    /// - Parameter services: The services of this machine, made of what the owner set.
    package static func maker(_ services: @escaping @Sendable (CommandContext) throws -> Services)
        -> CommandFeatureMaker
    {
        CommandFeatureMaker(manifest) { context in
            try NotificationsSkill(
                services(context),
                database: context.database,
                outlet: context.outlet,
                announcements: context.announcements,
                time: context.time,
                logger: context.logger
            )
        }
    }

    package var keeper: (any ActivityKeeper)? { NotificationKeeper(store: store, logger: logger) }

    package func checks() async -> [DoctorCheck] {
        let availability = await mirror.availability
        let check = DoctorCheck(
            name: "Notifications of programs",
            works: availability.isAvailable,
            detail: availability.reason
                ?? (availability.isAvailable ? "what programs show reaches phones" : "not available")
        )
        // Why a desktop's notifications are not heard is its adapter's sentence.
        let heard = availability.isAvailable && availability.reason == nil ? check.saying("noticesReachPhones") : check
        return [heard] + Self.wakingCheck(await telling.unwakable())
    }

    /// - Parameter phones: The names of those that cannot be woken.
    private static func wakingCheck(_ phones: [String]) -> [DoctorCheck] {
        guard !phones.isEmpty else { return [] }
        let names = phones.joined(separator: ", ")
        return [
            DoctorCheck(
                name: "Waking phones",
                works: false,
                detail: """
                    the push service of \(names) refuses what it is sent: turn notifications off and on again on the phone; \
                    Apple's service also wants an address of the owner (\(contactSetting.name))
                    """
            ).saying("pushRefused", ["phones": .string(names), "setting": .string(contactSetting.name)])
        ]
    }

    package func run() async {
        let said = announcements.stream()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.mirror.run() }
            group.addTask { for await announcement in said { await self.take(announcement) } }
            group.addTask {
                while await self.time.pause(for: Self.tidyPace) { await self.tidy() }
            }
        }
    }

    package func close() async {
        await centre.close()
        await mirror.close()
        await telling.close()
        await store.close()
    }

    private func take(_ announcement: Announcement) async {
        do {
            _ = try await centre.take(
                NewNotificationRow(
                    title: announcement.title,
                    body: announcement.body,
                    priority: NotificationPriority(word: announcement.urgency.rawValue),
                    program: announcement.speaker,
                    key: announcement.key,
                    data: announcement.data
                )
            )
        } catch {
            logger.error("an announcement was not kept", metadata: ["reason": "\(error)"])
        }
    }

    private func tidy() async {
        do {
            try await store.tidy()
        } catch {
            logger.error("old notifications were not removed", metadata: ["reason": "\(error)"])
        }
    }
}

/// Forgets how far a phone is, and where it is woken, with its right.
struct NotificationKeeper: ActivityKeeper {
    let store: NotificationDatabase
    let logger: Logger

    func activities() -> [Activity] { [] }
    func end(_ id: Activity.ID) -> Bool { false }

    func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        guard rights.contains(.notification) else { return }
        do {
            _ = try await store.write(.forget(device: device))
        } catch {
            logger.error("where a phone is woken is still kept", metadata: ["reason": "\(error)"])
        }
    }
}
