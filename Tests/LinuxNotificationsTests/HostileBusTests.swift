import DesktopNotifications
import Dispatch
import Foundation
import Kernel
import LinuxBus
import LinuxDesktopTesting
import Testing

@testable import LinuxNotifications

@Suite("Hostile programs on the session bus", .timeLimit(.minutes(4)))
struct HostileBusTests {
    private static func program(on bus: SessionBus) async throws -> BusConnection {
        let connection = BusConnection(
            queue: DispatchQueue(label: "tandem.test.program"),
            handle: { _ in },
            ended: { _ in }
        )
        try await connection.open(bus.address)
        return connection
    }

    private static func notify(
        title: String = "t",
        body: String = "",
        actions: [String] = [],
        hints: [BusArgument.Entry] = []
    ) -> BusRequest {
        .service(
            "Notify",
            [
                .text("p"), .unsigned(0), .text(""), .text(title), .text(body), .texts(actions), .dictionary(hints),
                .signed(-1),
            ]
        )
    }

    private static func picture(_ numbers: [Int32], hasAlpha: Bool = false, count: Int) -> BusArgument {
        .picture(.init(numbers: numbers, hasAlpha: hasAlpha, bytes: [UInt8](repeating: 7, count: count)))
    }

    @Test("what is too large is cut, what lies is left out, and what is no notification is skipped")
    func contents() async throws {
        try await SessionBus.running { bus in
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            let program = try await Self.program(on: bus)

            for arguments: [BusArgument] in [
                [], [.text("p")], [.unsigned(1)], Array(repeating: .text("x"), count: 8),
                [.dictionary([.init("a", .text("b"))])],
            ] {
                await #expect(throws: BusError.refused(reason: "The arguments are not as specified.")) {
                    try await program.call(.service("Notify", arguments))
                }
                await #expect(throws: BusError.self) {
                    try await program.call(.service("CloseNotification", arguments + [.byte(1)]))
                }
            }
            await #expect(throws: BusError.refused(reason: "There is no such method.")) {
                try await program.call(.service("Explode"))
            }

            try await program.call(
                Self.notify(title: String(repeating: "x", count: 1 << 20), body: String(repeating: "é", count: 1 << 20))
            )
            let long = try await events.shown().notification
            #expect(long.title.utf8.count == BusNotification.titleLimit)
            #expect(long.body == String(repeating: "é", count: BusNotification.bodyLimit / 2))

            let many = (0..<10_000).map { BusArgument.Entry("hint-\($0)", .unsigned(UInt32($0))) }
            try await program.call(Self.notify(title: "many", hints: many))
            #expect(try await events.shown().notification.title == "many")

            let keys = (0..<10_000).flatMap { ["k\($0)", "label"] }
            try await program.call(Self.notify(title: "keys", actions: keys + ["odd"]))
            #expect(try await events.shown().notification.actions.count == BusNotification.actionLimit)

            for (index, lie) in [
                Self.picture([100, 100, 300, 8, 3], count: 5), Self.picture([.max, .max, .max, 8, 3], count: 64),
                Self.picture([-1, -1, -1, -1, -1], count: 64), Self.picture([2048, 2048, 6144, 8, 3], count: 1 << 20),
                .text("no picture"), .dictionary([]), .texts([]),
            ].enumerated() {
                try await program.call(Self.notify(title: "lie \(index)", hints: [.init("image-data", lie)]))
                let shown = try await events.shown().notification
                #expect(shown.title == "lie \(index)")
                #expect(shown.image == nil)
            }
            try await program.call(
                Self.notify(
                    hints: [
                        .init("icon_data", Self.picture([1, 1, 3, 8, 3], count: 3)),
                        .init("image-data", Self.picture([1, 2, 4, 8, 3], count: 7)),
                        .init("urgency", .text("high")), .init("transient", .signed(1)), .init("value", .signed(-9)),
                        .init("resident", .dictionary([.init("x", .flag(true))])), .init("category", .unsigned(1)),
                    ]
                )
            )
            let odd = try await events.shown().notification
            #expect(odd.image?.byteCount == 6)
            #expect(odd.urgency == .normal)
            #expect(odd.isTransient && !odd.isResident)
            #expect(odd.value == 0)
            #expect(odd.category == nil)
            await events.end()
            program.close()
        }
    }

    @Test("signals of a program that is not the service are not believed")
    func impostor() async throws {
        try await SessionBus.running { bus in
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            try await bus.run("notify-send", "a")
            let id = try await events.shown().id
            for member in ["NotificationClosed", "ActionInvoked"] {
                try await bus.run(
                    "dbus-send",
                    "--session",
                    "--type=signal",
                    NotificationsName.path,
                    "\(NotificationsName.service).\(member)",
                    "uint32:\(id)",
                    member == "ActionInvoked" ? "string:ok" : "uint32:2"
                )
            }
            try await bus.run("notify-send", "b")
            #expect(try await events.next { $0.title } == "b")
            await events.end()
        }
    }

    @Test("a program that floods the bus loses its own, and others are still seen")
    func flood() async throws {
        try await SessionBus.running { bus in
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: true))
            _ = try await events.available()
            let program = try await Self.program(on: bus)
            let body = String(repeating: "x", count: 4096)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<50 {
                    group.addTask {
                        for turn in 0..<60 {
                            try await program.call(
                                Self.notify(title: "\(lane)-\(turn)", body: body),
                                within: .seconds(60)
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Sixty of each lane, and no more than 256 are open.
            try await bus.run("notify-send", "after")
            #expect(try await events.next { $0.title == "after" ? true : nil })
            await events.end()
            program.close()
        }
    }

    @Test("calls that get no answer are forgotten")
    func unanswered() async throws {
        try await SessionBus.running { bus in
            let service = FakeService()
            _ = try await service.start(on: bus)
            let events = EventReader(LinuxNotificationBus(environment: bus.environment, serves: false))
            _ = try await events.available()
            let program = try await Self.program(on: bus)
            service.fallSilent()
            let picture = Self.picture([512, 512, 1536, 8, 3], count: 512 * 1536)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        _ = try? await program.call(
                            Self.notify(hints: [.init("image-data", picture)]),
                            within: .seconds(1)
                        )
                    }
                }
            }
            program.close()
            service.stop()
            #expect(try await events.unavailable().contains("No program shows notifications"))
            let other = FakeService(name: "other")
            _ = try await other.start(on: bus)
            #expect(try await events.available().name == "other")
            try await bus.run("notify-send", "after")
            #expect(try await events.next { $0.title } == "after")
            await events.end()
        }
    }
}

extension BusEvent {
    fileprivate var title: String? {
        if case .shown(_, let notification, _) = self { notification.title } else { nil }
    }
}
