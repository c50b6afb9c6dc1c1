import Capabilities
import CommandServer
import DesktopNotifications
import Foundation
import Kernel
import KernelTesting
import LinuxDesktopTesting
import Testing

@testable import LinuxNotifications

@Suite("Notifications served by this program", .timeLimit(.minutes(4)))
struct ServingTests {
    @Test("notify-send waits for a button, which is pressed from elsewhere")
    func actions() async throws {
        try await SessionBus.running { bus in
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: true)
            let events = EventReader(desktop)
            let service = try await events.available()
            #expect(service.name == "Tandem")
            #expect(service.isOurs && service.canInvoke && service.canReply)
            #expect(service.capabilities.contains("actions"))
            let pressed = Task {
                try await bus.run("notify-send", "--action=ok=OK", "--action=no=No", "--wait", "Deploy?")
            }
            let (id, notification, _) = try await events.shown()
            #expect(notification.title == "Deploy?")
            #expect(notification.actions.map(\.label) == ["OK", "No"])
            await #expect(throws: NotificationBusError.unknownAction("maybe")) {
                try await desktop.invoke(action: "maybe", reply: nil, of: id)
            }
            try await desktop.invoke(action: "ok", reply: nil, of: id)
            #expect(try await pressed.value == "ok")
            #expect(try await events.next { $0 } == .actionInvoked(id: id, action: "ok"))
            #expect(try await events.closed().reason == .dismissed)
            await #expect(throws: NotificationBusError.closed(id: id)) {
                try await desktop.invoke(action: "ok", reply: nil, of: id)
            }
            await #expect(throws: NotificationBusError.closed(id: id)) { try await desktop.close(id) }

            let waited = Task { try await bus.run("notify-send", "--wait", "Look") }
            let second = try await events.shown().id
            #expect(second != id)
            try await desktop.close(second)
            #expect(try await waited.value == "")
            #expect(try await events.next { $0 } == .closed(id: second, .dismissed))
            await events.end()
        }
    }

    @Test("a reply reaches its program, and a resident notification stays open")
    func replies() async throws {
        try await SessionBus.running { bus in
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: true)
            let events = EventReader(desktop)
            _ = try await events.available()
            try await bus.run(
                "gdbus",
                "call",
                "--session",
                "--dest=\(NotificationsName.service)",
                "--object-path=\(NotificationsName.path)",
                "--method=\(NotificationsName.service).Notify",
                "Chat",
                "0",
                "",
                "Ada",
                "Hi",
                "['inline-reply','Reply','default','']",
                "{'resident': <true>, 'urgency': <byte 0>}",
                "0"
            )
            let (id, notification, _) = try await events.shown()
            #expect(notification.canReply && notification.isResident)
            #expect(notification.urgency == .low)
            #expect(notification.actions.map(\.key) == ["inline-reply", "default"])
            try await desktop.invoke(action: BusNotification.replyAction, reply: "On my way", of: id)
            #expect(try await events.next { $0 } == .replied(id: id, text: "On my way"))
            try await desktop.invoke(action: BusNotification.defaultAction, reply: nil, of: id)
            #expect(try await events.next { $0 } == .actionInvoked(id: id, action: "default"))
            try await desktop.close(id)
            #expect(try await events.closed().id == id)
            await events.end()
        }
    }

    @Test("a script that connects anew for each text replaces its own notification, and no other program's")
    func scripts() async throws {
        try await SessionBus.running { bus in
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            func send(_ program: String, _ title: String, replacing id: String?) async throws -> String {
                let replacing = id.map { ["--replace-id=\($0)"] } ?? []
                return try await bus.run(["notify-send", "--print-id", "--app-name=\(program)", title] + replacing)
            }
            let first = try await send("Backup", "1 %", replacing: nil)
            #expect(try await send("Backup", "2 %", replacing: first) == first)
            #expect(try await send("Other", "mine", replacing: first) != first)
            _ = try await events.shown()
            let (id, notification, replaces) = try await events.shown()
            #expect("\(id)" == first && replaces == id)
            #expect(notification.title == "2 %")
            await events.end()
        }
    }

    @Test(
        "a call whose program wants no answer is told, under a number that can neither be closed nor pressed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/busctl"))
    )
    func unanswered() async throws {
        try await SessionBus.running { bus in
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: true)
            let events = EventReader(desktop)
            _ = try await events.available()
            try await bus.run(
                [
                    "busctl", "--address=\(bus.address)", "call", "--expect-reply=no", NotificationsName.service,
                    NotificationsName.path, NotificationsName.service, "Notify", "susssasa{sv}i", "Script", "0", "",
                    "Done", "text", "2", "ok", "OK", "0", "--", "-1",
                ]
            )
            let (id, notification, replaces) = try await events.shown()
            #expect(notification.title == "Done" && notification.programName == "Script")
            #expect(notification.onlyDesktopActs)
            #expect(id > GtkNumbers.first && replaces == nil)
            await #expect(throws: NotificationBusError.self) {
                try await desktop.invoke(action: "ok", reply: nil, of: id)
            }
            await events.end()
        }
    }

    @Test("one with a time closes by itself, and not at the time of what it replaced")
    func expiry() async throws {
        try await SessionBus.running { bus in
            let clock = ManualClock()
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: true, time: clock)
            let events = EventReader(desktop)
            _ = try await events.available()
            let shown = BusNotification(programName: "p", title: "t", expireMilliseconds: 4000)
            let id = try await desktop.show(shown, replacing: nil)
            await clock.sleeper(for: .milliseconds(4000))
            clock.advance(by: .milliseconds(3000))
            #expect(try await desktop.show(shown, replacing: id) == id)
            await clock.sleeper(for: .milliseconds(4000))
            clock.advance(by: .milliseconds(1000))
            try await bus.run("notify-send", "between")
            #expect(try await events.next { $0.isClosedOrShown } == "between")
            clock.advance(by: .milliseconds(3000))
            #expect(try await events.next { $0 } == .closed(id: id, .expired))
            await events.end()
        }
    }

    /// A file by which the bus starts the service.
    private static func install(_ command: String, at bus: SessionBus) throws {
        let entry = "[D-BUS Service]\nName=\(NotificationsName.service)\nExec=\(command)\n"
        try Data(entry.utf8).write(to: bus.folder.appending(path: "services/fake.service"))
    }

    @Test("a service that runs is left alone")
    func others() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            #expect(try await service.start(on: bus) == 1)
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            let available = try await events.available()
            #expect(available.name == "fake" && !available.isOurs)
            await events.end()
        }
    }

    @Test("a service that the bus starts and that does not come up leaves it to us, and gets the name when it does")
    func brokenService() async throws {
        try await SessionBus.run { bus in
            let started = bus.folder.appending(path: "started")
            try Self.install("/bin/sh -c \"echo x >> \(started.path); exit 1\"", at: bus)
            try await bus.listening {
                let clock = ManualClock()
                let desktop = LinuxNotificationBus(environment: bus.environment, serves: true, time: clock)
                let events = EventReader(desktop)
                #expect(try await events.available().isOurs)
                let first = try String(contentsOf: started, encoding: .utf8)
                #expect(first == "x\n")
                try await bus.run("notify-send", "served")
                #expect(try await events.shown().notification.title == "served")
                // Refused because the name is ours, it finds it free when it asks again.
                let refused = FakeService()
                #expect(try await refused.start(on: bus) == 3)
                refused.stop()
                #expect(try await events.unavailable().contains("No program shows notifications"))
                // A screen may have come, so the bus was asked again; once.
                let second = try String(contentsOf: started, encoding: .utf8)
                #expect(second == "x\nx\n")
                let service = FakeService(name: "real")
                #expect(try await service.start(on: bus) == 1)
                #expect(try await events.available().name == "real")
                service.stop()
                _ = try await events.unavailable()
                await clock.sleeper(for: .seconds(60))
                clock.advance(by: .seconds(60))
                #expect(try await events.available().isOurs)
                await events.end()
            }
        }
    }

    @Test("one that neither comes up nor ends is waited for ten seconds")
    func hangingService() async throws {
        try await SessionBus.run { bus in
            try Self.install("/bin/sleep 20", at: bus)
            try await bus.listening { () async throws in
                let clock = ManualClock()
                let events = EventReader(
                    LinuxNotificationBus(environment: bus.environment, serves: true, time: clock)
                )
                await clock.sleeper(for: .seconds(10))
                clock.advance(by: .seconds(10))
                #expect(try await events.available().isOurs)
                await events.end()
            }
        }
    }

    @Test("one that only watches has the bus start nothing")
    func watching() async throws {
        try await SessionBus.run { bus in
            try Self.install("/bin/false", at: bus)
            try await bus.listening { () async throws in
                let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
                #expect(try await events.unavailable().contains("No program shows notifications"))
                let checks = await LinuxNotificationBus.checks(environment: bus.environment)
                #expect(checks.map(\.works) == [true])
                await events.end()
            }
        }
    }

    @Test("dunst that the bus can start and that has no screen")
    func dunstWithoutScreen() async throws {
        try await SessionBus.run { bus in
            try Self.install("/usr/bin/dunst", at: bus)
            try await bus.listening {
                let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
                #expect(try await events.available().isOurs)
                try await bus.run("notify-send", "told")
                #expect(try await events.shown().notification.title == "told")
                await events.end()
            }
        }
    }

    @Test("one that replaces us is at once the service, and ours is it again a minute after that")
    func replaced() async throws {
        try await SessionBus.running { bus in
            let clock = ManualClock()
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true, time: clock))
            let first = try await events.available()
            #expect(first.isOurs)
            let service = FakeService(firstID: 30)
            #expect(try await service.start(on: bus, flags: 2) == 1)
            #expect(try await events.available().name == "fake")
            try await bus.run("notify-send", "b")
            #expect(try await events.shown().id == 30)
            service.stop()
            #expect(try await events.unavailable().contains("No program shows notifications"))
            await clock.sleeper(for: .seconds(60))
            clock.advance(by: .seconds(60))
            #expect(try await events.available().isOurs)
            try await bus.run("notify-send", "c")
            #expect(try await events.shown().notification.title == "c")
            await events.end()
        }
    }

    @Test("one that asks without replacing finds the name free when it asks again, until a minute later")
    func givesWay() async throws {
        try await SessionBus.running { bus in
            let clock = ManualClock()
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true, time: clock))
            let first = try await events.available()
            #expect(first.isOurs)
            let refused = FakeService(name: "refused")
            #expect(try await refused.start(on: bus) == 3)
            refused.stop()
            #expect(try await events.unavailable().contains("No program shows notifications"))
            let started = FakeService(name: "started")
            #expect(try await started.start(on: bus) == 1)
            #expect(try await events.available().name == "started")
            started.stop()
            #expect(try await events.unavailable().contains("No program shows notifications"))
            await clock.sleeper(for: .seconds(60))
            clock.advance(by: .seconds(60))
            #expect(try await events.available().isOurs)
            await events.end()
        }
    }

    @Test("letting go of the events ends the service")
    func lettingGo() async throws {
        try await SessionBus.running { bus in
            let watching = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            _ = try await watching.unavailable()
            for await event in LinuxNotificationBus(environment: bus.environment, serves: true).events() {
                guard case .available = event else { continue }
                #expect(try await watching.available().name == "Tandem")
                break
            }
            #expect(try await watching.unavailable().contains("No program shows notifications"))
            await watching.end()
        }
    }

    @Test("programs learn that what we served is closed when we end")
    func end() async throws {
        try await SessionBus.running { bus in
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            let waiting = Task { try await bus.run("notify-send", "--wait", "a") }
            _ = try await events.shown()
            await events.end()
            #expect(try await waiting.value == "")
        }
    }
}

extension BusEvent {
    /// The title of one that was shown, or that there is an end.
    fileprivate var isClosedOrShown: String? {
        switch self {
        case .shown(_, let notification, _): notification.title
        case .closed: "closed"
        default: nil
        }
    }
}
