import DesktopNotifications
import Dispatch
import Foundation
import Kernel
import LinuxBus
import LinuxDesktopTesting
import Testing

@testable import LinuxNotifications

@Suite("Notifications of GTK programs", .timeLimit(.minutes(4)))
struct GtkTests {
    /// Answers as GNOME's shell does.
    private final class Shell: Sendable {
        let connection: BusConnection

        init(on bus: SessionBus) async throws {
            let box = Box()
            connection = BusConnection(
                queue: DispatchQueue(label: "tandem.test.shell"),
                handle: { message in
                    if message.kind == .call { box.connection?.answer(message, []) }
                },
                ended: { _ in }
            )
            box.connection = connection
            try await connection.open(bus.address)
            for name in [GtkName.service, "org.freedesktop.portal.Desktop"] {
                _ = try await connection.call(.bus("RequestName", .text(name), .unsigned(4))) { $0.unsigned() }
            }
        }

        /// Set before the connection is opened, read on its queue only.
        private final class Box: @unchecked Sendable {
            weak var connection: BusConnection?
        }
    }

    @Test("all that a GNotification says is read, under one number until it is removed")
    func shown() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let shell = try await Shell(on: bus)
            defer { shell.connection.close() }
            let desktop = LinuxNotificationBus(environment: bus.environment, serves: true)
            let events = EventReader(desktop)
            _ = try await events.available()
            try await Self.add(
                bus,
                "org.gnome.Calendar",
                "event-1",
                """
                {'title': <'Dentist'>, 'body': <'at <b>nine</b>'>, 'priority': <'urgent'>, \
                'icon': <('themed', <['x-office-calendar', 'calendar']>)>, 'category': <'calendar.event'>, \
                'default-action': <'app.open'>, 'default-action-target': <'event-1'>, \
                'buttons': <[{'label': <'Snooze'>, 'action': <'app.snooze'>, 'target': <uint32 5>}, \
                {'label': <'Nothing'>}]>}
                """
            )
            let (id, notification, replaces) = try await events.shown()
            #expect(id > 1 << 31 && replaces == nil)
            #expect(notification.programName == "org.gnome.Calendar")
            #expect(notification.desktopEntry == "org.gnome.Calendar")
            #expect(notification.title == "Dentist")
            // Plain text: nothing in it is markup.
            #expect(notification.body == "at <b>nine</b>")
            #expect(notification.urgency == .critical)
            #expect(notification.icon == "x-office-calendar")
            #expect(notification.category == "calendar.event")
            #expect(notification.actions.map(\.key) == ["default", "app.snooze"])
            #expect(notification.actions.last?.label == "Snooze")
            #expect(notification.onlyDesktopActs && !notification.canReply)
            await #expect(throws: NotificationBusError.notPossible(service: GtkName.service)) {
                try await desktop.invoke(action: "app.snooze", reply: nil, of: id)
            }

            try await Self.add(bus, "org.gnome.Calendar", "event-1", "{'title': <'Dentist, now'>}")
            let again = try await events.shown()
            #expect(again.id == id && again.replaces == id && again.notification.title == "Dentist, now")
            try await Self.add(bus, "org.gnome.Clocks", "event-1", "{'title': <'Alarm'>}")
            let other = try await events.shown()
            #expect(other.id != id && other.replaces == nil)

            // What is read elsewhere is removed here, and the program may remove it itself.
            try await desktop.close(id)
            #expect(try await events.closed() == (id, .byProgram))
            await #expect(throws: NotificationBusError.closed(id: id)) { try await desktop.close(id) }
            try await Self.remove(bus, "org.gnome.Clocks", "event-1")
            #expect(try await events.closed() == (other.id, .byProgram))
            try await Self.remove(bus, "org.gnome.Clocks", "event-1")
            try await bus.run("notify-send", "after")
            #expect(try await events.next { $0 }.title == "after")
            service.stop()
            await events.end()
        }
    }

    @Test("pictures come as a file's path or as its bytes; old programs say urgent")
    func pictures() async throws {
        try await SessionBus.running { bus in
            let shell = try await Shell(on: bus)
            defer { shell.connection.close() }
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            try await Self.add(bus, "a.b", "icon-1", "{'title': <'t'>, 'icon': <('file', <'file:///tmp/x.png'>)>}")
            #expect(try await events.shown().notification.image == .path("file:///tmp/x.png"))
            try await Self.add(
                bus,
                "a.b",
                "icon-2",
                "{'title': <'t'>, 'icon': <('bytes', <[byte 1, 2, 3]>)>, 'urgent': <true>}"
            )
            let notification = try await events.shown().notification
            #expect(notification.image == .file([1, 2, 3]))
            #expect(notification.urgency == .critical)
            try await Self.add(
                bus,
                "a.b",
                "icon-3",
                "{'title': <'t'>, 'icon': <('emblem', <('a', <'b'>)>)>, 'priority': <'low'>}"
            )
            let low = try await events.shown().notification
            #expect(low.image == nil && low.icon == nil && low.urgency == .low)
            await events.end()
        }
    }

    @Test("what is damaged, empty or too much is left out or cut, and what a portal passes on is told once")
    func hostile() async throws {
        try await SessionBus.running { bus in
            let shell = try await Shell(on: bus)
            defer { shell.connection.close() }
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            let program = BusConnection(
                queue: DispatchQueue(label: "tandem.test.program"),
                handle: { _ in },
                ended: { _ in }
            )
            try await program.open(bus.address)
            func add(to destination: String = GtkName.service, _ arguments: [BusArgument]) async throws {
                try await program.call(
                    BusRequest(
                        destination: destination,
                        path: GtkName.path,
                        interface: GtkName.service,
                        member: GtkName.add,
                        arguments
                    )
                )
            }
            let title = BusArgument.Entry("title", .text("t"))
            for arguments: [BusArgument] in [
                [], [.text("a.b")], [.text("a.b"), .text("1"), .text("x")],
                [.text(""), .text("1"), .dictionary([title])],
                [.text(String(repeating: "x", count: 129)), .text("1"), .dictionary([title])],
                [.text("a.b"), .text(String(repeating: "x", count: 129)), .dictionary([title])],
                [.text("a.b"), .text("1"), .dictionary([])],
                [.text("a.b"), .text("1"), .dictionary([.init("title", .unsigned(3))])],
            ] { try await add(arguments) }
            // Passed on under another name: told already.
            try await add(to: "org.freedesktop.portal.Desktop", [.text("a.b"), .text("1"), .dictionary([title])])
            try await Self.call(bus, "AddNotification", "sandboxed", "{'title': <'from a sandbox'>}", isPortal: true)
            let many = (0..<5000).map { BusArgument.Entry("k\($0)", .unsigned(UInt32($0))) }
            try await add([
                .text("a.b"), .text("1"),
                .dictionary(
                    [
                        .init("title", .text(String(repeating: "x", count: 1 << 20))),
                        .init("body", .text(String(repeating: "é", count: 1 << 20))), .init("buttons", .texts(["no"])),
                        .init("icon", .text("no")), .init("priority", .byte(1)),
                    ] + many
                ),
            ])
            let long = try await events.shown().notification
            #expect(long.title.utf8.count == BusNotification.titleLimit)
            #expect(long.body.utf8.count == BusNotification.bodyLimit)
            #expect(long.actions == [] && long.icon == nil && long.urgency == .normal)
            program.close()
            await events.end()
        }
    }

    @Test("numbers are one each, bounded, and never a service's")
    func numbers() throws {
        var numbers = GtkNumbers()
        let ids = (0..<GtkNumbers.limit + 5).map { GtkNotificationID(application: "a", id: "\($0)") }
        let given = ids.map { numbers.number(of: $0).number }
        #expect(Set(given).count == ids.count)
        #expect(given.allSatisfy { $0 > GtkNumbers.first })
        #expect(numbers[given[0]] == nil)
        #expect(numbers[given[5]] == ids[5])
        let again = numbers.number(of: ids[5])
        #expect(again == (given[5], true))
        let forgotten = [numbers.forget(ids[5]), numbers.forget(ids[5])]
        #expect(forgotten == [given[5], nil])
        let anew = numbers.number(of: ids[5])
        #expect(anew == (given[given.count - 1] + 1, false))
    }

    private static func add(_ bus: SessionBus, _ application: String, _ id: String, _ contents: String) async throws {
        try await call(bus, "AddNotification", application, id, contents)
    }

    private static func remove(_ bus: SessionBus, _ application: String, _ id: String) async throws {
        try await call(bus, "RemoveNotification", application, id)
    }

    /// As `g_application_send_notification` calls it, or a program in a sandbox.
    private static func call(
        _ bus: SessionBus,
        _ method: String,
        _ arguments: String...,
        isPortal: Bool = false
    ) async throws {
        let portal = "org.freedesktop.portal"
        try await bus.run(
            [
                "gdbus", "call", "--session", "--dest=\(isPortal ? "\(portal).Desktop" : GtkName.service)",
                "--object-path=\(isPortal ? "/org/freedesktop/portal/desktop" : GtkName.path)",
                "--method=\(isPortal ? "\(portal).Notification" : GtkName.service).\(method)",
            ] + arguments
        )
    }
}

extension BusEvent {
    fileprivate var title: String? { if case .shown(_, let notification, _) = self { notification.title } else { nil } }
}
