import Capabilities
import CommandServer
import DesktopNotifications
import Foundation
import Kernel
import KernelTesting
import LinuxBus
import LinuxDesktopTesting
import LinuxNotifications
import Testing

@Suite("Notifications on the session bus", .timeLimit(.minutes(4)))
struct BusTests {
    @Test("what a program shows comes with all that it said, and its end with the reason")
    func shown() async throws {
        try await SessionBus.running { bus in
            let service = FakeService(firstID: 7)
            #expect(try await service.start(on: bus) == 1)
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            let available = try await events.available()
            #expect(available.name == "fake")
            #expect(available.vendor == "tests")
            #expect(available.version == "7")
            #expect(available.capabilities == ["body", "body-markup", "actions"])
            #expect(!available.isOurs && !available.canInvoke && !available.canReply)

            let id = try await bus.run(
                "notify-send",
                "--print-id",
                "--app-name=Mail",
                "--icon=mail-unread",
                "--urgency=critical",
                "--category=email.arrived",
                "--expire-time=9000",
                "--hint=int:value:40",
                "--transient",
                "--hint=string:desktop-entry:mail",
                "--hint=string:x-canonical-private-synchronous:volume",
                "--hint=string:image-path:file:///tmp/x.png",
                "--hint=byte:unknown:3",
                "Ada",
                "<b>Hi</b> &amp; bye"
            )
            #expect(id == "7")
            let (shown, notification, replaces) = try await events.shown()
            #expect(shown == 7)
            #expect(replaces == nil)
            #expect(notification.programName == "Mail")
            #expect(notification.icon == "mail-unread")
            #expect(notification.title == "Ada")
            #expect(notification.body == "Hi & bye")
            #expect(notification.urgency == .critical)
            #expect(notification.isTransient)
            #expect(!notification.isResident)
            #expect(notification.category == "email.arrived")
            #expect(notification.desktopEntry == "mail")
            #expect(notification.syncKey == "volume")
            #expect(notification.image == .path("file:///tmp/x.png"))
            #expect(notification.expireMilliseconds == 9000)
            #expect(notification.value == 40)
            #expect(notification.senderName.hasPrefix(":"))

            try await bus.run("notify-send", "--replace-id=7", "--app-name=Mail", "Bo")
            let again = try await events.shown()
            #expect(again.id == 7)
            #expect(again.replaces == 7)
            #expect(again.notification.title == "Bo")
            #expect(again.notification.expireMilliseconds == nil)

            service.emit("ActionInvoked", .unsigned(7), .text("open"))
            service.emit("NotificationReplied", .unsigned(7), .text("yes"))
            service.emit("NotificationClosed", .unsigned(7), .unsigned(2))
            #expect(try await events.next { $0 } == .actionInvoked(id: 7, action: "open"))
            #expect(try await events.next { $0 } == .replied(id: 7, text: "yes"))
            #expect(try await events.next { $0 } == .closed(id: 7, .dismissed))
            service.stop()
            #expect(try await events.unavailable().contains("No program shows notifications"))
            await events.end()
        }
    }

    @Test("ours are not told as shown, and what happens to them is told as ours")
    func own() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: false)
            let events = EventReader(desktop)
            _ = try await events.available()
            let action = try #require(BusAction(key: "open", label: "Open"))
            let id = try await desktop.show(
                BusNotification(
                    programName: "Tandem",
                    title: "a",
                    body: "<b>",
                    actions: [action],
                    image: .path("/tmp/x.png"),
                    value: 3
                ),
                replacing: nil
            )
            #expect(id == 1)
            #expect(try await desktop.show(BusNotification(programName: "Tandem", title: "b"), replacing: 1) == 1)
            try await bus.run("notify-send", "theirs")
            #expect(try await events.shown().notification.title == "theirs")
            service.emit("ActionInvoked", .unsigned(1), .text("open"))
            try await desktop.close(1)
            try await desktop.close(2)
            #expect(try await events.next { $0 } == .actionInvoked(id: 1, action: "open"))
            #expect(try await events.next { $0 } == .closed(id: 1, .byProgram))
            #expect(try await events.next { $0 } == .closed(id: 2, .byProgram))
            await #expect(throws: NotificationBusError.refused(reason: "There is no such notification")) {
                try await desktop.close(1000)
            }
            await #expect(throws: NotificationBusError.notPossible(service: "fake")) {
                try await desktop.invoke(action: "open", reply: nil, of: 1)
            }
            await events.end()
        }
    }

    @Test("what is shown, closed and asked without a reader of events uses a connection for that alone")
    func once() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let watching = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            _ = try await watching.available()
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: false)
            let shown = BusNotification(
                programName: "p",
                icon: "i",
                title: "t",
                body: "1 < 2 & <b>",
                actions: [try #require(BusAction(key: "k", label: "l"))],
                urgency: .low,
                isTransient: true,
                isResident: true,
                category: "c",
                desktopEntry: "d",
                image: BusPixelsExample.image,
                expireMilliseconds: 5,
                value: 6,
                syncKey: "s"
            )
            let id = try await desktop.show(shown, replacing: nil)
            var seen = try await watching.shown()
            #expect(seen.id == id)
            seen.notification.senderName = ""
            // As it goes over the bus: a service without markup would have shown it so.
            #expect(seen.notification.asSent == "1 &lt; 2 &amp; &lt;b&gt;")
            seen.notification.asSent = nil
            #expect(seen.notification == shown)
            try await desktop.close(id)
            #expect(try await watching.closed().id == id)
            #expect(try await desktop.service().name == "fake")
            try await BusNotifier(bus: desktop).notify("a\u{1B}", "<b>")
            let message = try await watching.shown().notification
            #expect(message.programName == "Tandem")
            #expect(message.title == #"a\e"#)
            #expect(message.body == "<b>")
            let checks = await LinuxNotificationBus.checks(environment: bus.environment)
            #expect(checks.map(\.works) == [true])
            #expect(checks.first?.detail == "shown by fake 7")
            await watching.end()
        }
    }

    @Test("what a page of ours shows through its browser is known by its mark")
    func pageBanners() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let watching = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            _ = try await watching.available()
            try await bus.run("notify-send", "mail", "from Ada\u{2063}\u{2064}\u{2063}")
            #expect(try await watching.shown().notification.isPresented)
            try await bus.run("notify-send", "mail", "from Ada\u{2063}")
            #expect(try await !watching.shown().notification.isPresented)
            await watching.end()
        }
    }

    @Test("another service is told before what it shows, and the restarted bus is found again")
    func restarts() async throws {
        try await SessionBus.run { bus in
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            #expect(try await events.unavailable().contains("no program listens at its address"))
            try await bus.listening {
                #expect(try await events.unavailable().contains("No program shows notifications"))
                let first = FakeService(name: "first")
                _ = try await first.start(on: bus, flags: 1 | 4)
                #expect(try await events.available().name == "first")
                let second = FakeService(name: "second", firstID: 50)
                #expect(try await second.start(on: bus, flags: 2) == 1)
                #expect(try await events.available().name == "second")
                try await bus.run("notify-send", "a")
                #expect(try await events.shown().id == 50)
                second.stop()
                #expect(try await events.unavailable().contains("No program shows notifications"))
            }
            #expect(try await events.unavailable().contains("the connection was closed"))
            try await bus.listening {
                let third = FakeService(name: "third")
                _ = try await third.start(on: bus)
                #expect(try await events.available().name == "third")
                try await bus.run("notify-send", "b")
                #expect(try await events.shown().notification.title == "b")
            }
            await events.end()
        }
    }

    @Test("no session, an address that is none, and another user's bus are said")
    func unavailable() async throws {
        let nowhere = ["XDG_RUNTIME_DIR": "/nonexistent"]
        let events = EventReader(LinuxNotificationBus(environment: nowhere, serves: true))
        #expect(try await events.unavailable().hasPrefix("There is no desktop session"))
        await events.end()
        let desktop = LinuxNotificationBus(environment: nowhere, serves: false)
        await #expect(throws: NotificationBusError.noSession) { try await desktop.service() }
        let programs = LinuxNotificationBus(
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/bin/true"],
            serves: false
        )
        await #expect(throws: NotificationBusError.busUnreachable(reason: "its address does not name a Unix socket")) {
            try await programs.service()
        }
        let checks = await LinuxNotificationBus.checks(environment: nowhere)
        #expect(checks.map(\.works) == [false])
        #expect(checks.first?.detail == "\(NotificationBusError.noSession)")
    }

    @Test("another user's bus is refused, although it lets us in", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        try await SessionBus.run { bus in
            // The bus makes its socket in this folder.
            try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: bus.folder.path)
            try await bus.listening(as: 65_534) {
                let desktop = LinuxNotificationBus(environment: bus.environment, serves: true)
                await #expect(throws: NotificationBusError.foreignBus) { try await desktop.service() }
                let events = EventReader(desktop)
                let reason = try await events.unavailable()
                #expect(reason == "\(NotificationBusError.foreignBus)")
                await events.end()
            }
        }
    }

    @Test("the socket in XDG_RUNTIME_DIR is the bus where no address is given")
    func runtimeFolder() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let desktop = LinuxNotificationBus(environment: ["XDG_RUNTIME_DIR": bus.folder.path], serves: false)
            #expect(try await desktop.service().name == "fake")
        }
    }

    @Test("a service that does not answer is given five seconds")
    func silence() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let clock = ManualClock()
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: false, time: clock)
            let events = EventReader(desktop)
            _ = try await events.available()
            service.fallSilent()
            let shown = Task { try await desktop.show(BusNotification(programName: "p", title: "t"), replacing: nil) }
            await clock.sleeper(for: .seconds(5))
            clock.advance(by: .seconds(5))
            await #expect(throws: NotificationBusError.timedOut(after: .seconds(5))) { try await shown.value }
            await events.end()
        }
    }
}

enum BusPixelsExample {
    /// Two by two pixels with alpha.
    static var image: BusImage? {
        [UInt8](0..<16).withUnsafeBytes {
            BusPixels(
                width: 2,
                height: 2,
                rowStride: 8,
                hasAlpha: true,
                bitsPerSample: 8,
                channels: 4,
                data: $0
            )
        }.map { .pixels($0) }
    }
}
