import DesktopNotifications
import Foundation
import Kernel
import KernelTesting
import LinuxBus
import LinuxDesktopTesting
import LinuxNotifications
import LinuxPictures
import Logging
import Notifications
import NotificationsHost
import Testing

@Suite("A phone's banners on the session bus", .timeLimit(.minutes(4)))
struct PhoneBannersTests {
    private typealias Iterator = any AsyncIteratorProtocol<DesktopBannerEvent, Never>

    private static func bus(_ bus: SessionBus, time: any TimeSource = .system) -> LinuxNotificationBus {
        LinuxNotificationBus(environment: bus.environment, hears: .own, serves: false, time: time)
    }

    private static func show(_ banners: PhoneBanners, _ title: String, replacing number: UInt32? = nil) async throws
        -> UInt32
    {
        try await banners.show(title, "1 < 2", isUrgent: true, hasSound: false, replacing: number)
    }

    /// The next event of a stream, which has to be there.
    private static func next(_ events: inout Iterator) async throws -> DesktopBannerEvent {
        try #require(await events.next(isolation: nil))
    }

    @Test("one is shown, takes its place, is pressed, closed by the person, and closed from elsewhere")
    func life() async throws {
        try await SessionBus.running { bus in
            let service = FakeService(firstID: 5)
            _ = try await service.start(on: bus)
            let seen = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            _ = try await seen.available()
            let banners = PhoneBanners(Self.bus(bus))
            var events: Iterator = await banners.events().makeAsyncIterator()
            #expect(try await Self.next(&events) == .renumbered)
            #expect(try await Self.show(banners, "Build") == 5)
            let shown = try await seen.shown().notification
            #expect(shown.programName == "Tandem" && shown.desktopEntry == "tandem")
            #expect(shown.title == "Build" && shown.body == "1 < 2")
            #expect(shown.urgency == .critical && shown.isSilent && shown.isPresented)
            #expect(shown.actions.map(\.key) == [BusNotification.defaultAction])
            #expect(try await Self.show(banners, "Build, again", replacing: 5) == 5)
            #expect(try await seen.shown().replaces == 5)
            service.emit("ActionInvoked", .unsigned(5), .text("other"))
            service.emit("ActionInvoked", .unsigned(5), .text("default"))
            service.emit("NotificationClosed", .unsigned(5), .unsigned(2))
            #expect(try await Self.next(&events) == .pressed(5))
            #expect(try await Self.next(&events) == .dismissed(5))
            #expect(try await Self.show(banners, "b") == 6)
            // The service tells only the connection that showed it.
            try await banners.close(6)
            #expect(try await Self.next(&events) == .closed(6))
            service.stop()
            #expect(try await Self.next(&events) == .renumbered)
            await #expect(throws: NotificationBusError.noService) { try await Self.show(banners, "nowhere") }
            await seen.end()
        }
    }

    @Test("a computer on the same desktop does not tell what a phone shows there, and tells what programs show")
    func noLoop() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let source = DesktopNotificationSource(
                LinuxNotificationBus(environment: bus.environment, serves: true),
                pictures: LinuxPictures(),
                logger: Logger(label: "test")
            )
            let events = await source.events()
            let told = Task { await Self.first(2, of: events) }
            let banners = PhoneBanners(Self.bus(bus))
            // The computer hears it: it is shown before what it tells.
            let seen = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            _ = try await seen.available()
            let number = try await Self.show(banners, "from a phone")
            _ = try await Self.show(banners, "from a phone, again", replacing: number)
            let marks = ["--app-name=Tandem", "--hint=string:desktop-entry:tandem"]
            try await bus.run(["notify-send"] + marks + ["from a program"])
            let events2 = try #require(await told.value)
            guard case .available(canAct: false, let reason?, _) = events2[0], case .shown(let shown) = events2[1]
            else {
                Issue.record("\(events2)")
                return
            }
            #expect(
                reason
                    == "The notification service here, fake, lets no other program press buttons, so phones are told "
                    + "notifications without them. Press them at the computer."
            )
            #expect(shown.title == "from a program")
            await seen.end()
        }
    }

    private static func first<Events: AsyncSequence<SourceEvent, Never> & Sendable>(
        _ count: Int,
        of events: Events
    ) async -> [SourceEvent]? {
        var all: [SourceEvent] = []
        for await event in events {
            all.append(event)
            if all.count == count { return all }
        }
        return nil
    }

    @Test("where a computer's half serves in the place of a desktop, or there is no bus, that is said")
    func nowhere() async throws {
        try await SessionBus.running { bus in
            let computer = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            #expect(try await computer.available().isOurs)
            let banners = PhoneBanners(Self.bus(bus))
            await #expect(throws: NotificationBusError.noService) { try await Self.show(banners, "drawn by nobody") }
            try await bus.run("notify-send", "after")
            #expect(try await computer.shown().notification.title == "after")
            await computer.end()
        }
        let none = PhoneBanners(LinuxNotificationBus(environment: [:], hears: .own, serves: false))
        await #expect(throws: NotificationBusError.noSession) { try await Self.show(none, "t") }
        var events: Iterator = await none.events().makeAsyncIterator()
        #expect(try await Self.next(&events) == .renumbered)
    }

    @Test("the bus starts the service for the first one, where it can")
    func starts() async throws {
        try await SessionBus.run { bus in
            let entry = "[D-BUS Service]\nName=\(NotificationsName.service)\nExec=/bin/false\n"
            try Data(entry.utf8).write(to: bus.folder.appending(path: "services/fake.service"))
            try await bus.listening { () async throws in
                // It does not come up: that is the bus's own error, and not that there is none to be asked.
                await #expect(throws: NotificationBusError.noService) {
                    try await Self.show(PhoneBanners(Self.bus(bus)), "t")
                }
            }
        }
    }
}
