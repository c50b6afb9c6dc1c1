import DesktopNotifications
import Foundation
import LinuxDesktopTesting
import LinuxNotifications
import Testing

@Suite("Services of desktops", .timeLimit(.minutes(4)))
struct DesktopServiceTests {
    @Test("dunst: what is shown and closed is seen, and it lets nobody else press a button")
    func dunst() async throws {
        try await XServer.run { screen in
            try await SessionBus.running { bus in
                let desktop = LinuxNotificationBus(environment: bus.environment, serves: false)
                let events = EventReader(desktop)
                _ = try await events.unavailable()
                let environment = bus.environment.merging(["DISPLAY": screen["DISPLAY"] ?? ""]) { $1 }
                try await bus.program(["dunst"], environment: environment) {
                    let service = try await events.available()
                    #expect(service.name == "dunst")
                    #expect(!service.canInvoke)
                    let id = try await bus.run("notify-send", "--print-id", "--app-name=Mail", "Ada", "<b>Hi</b>")
                    let shown = try await events.shown()
                    #expect("\(shown.id)" == id)
                    #expect(shown.notification.body == "Hi")
                    await #expect(throws: NotificationBusError.notPossible(service: "dunst")) {
                        try await desktop.invoke(action: "default", reply: nil, of: shown.id)
                    }
                    try await desktop.close(shown.id)
                    let closed = try await events.closed()
                    #expect(closed.id == shown.id)
                    #expect(closed.reason == .byProgram)
                    let ours = try await desktop.show(
                        BusNotification(programName: "Tandem", title: "t"),
                        replacing: nil
                    )
                    try await desktop.close(ours)
                    #expect(try await events.closed() == (ours, .byProgram))
                }
                _ = try await events.unavailable()
                await events.end()
            }
        }
    }

    @Test("mako: a button is pressed through its own interface")
    func mako() async throws {
        try await WaylandServer.run { screen in
            try await SessionBus.running { bus in
                let desktop = LinuxNotificationBus(environment: bus.environment, serves: true)
                let events = EventReader(desktop)
                #expect(try await events.available().isOurs)
                let names = ["WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"]
                let environment = bus.environment.merging(screen.filter { names.contains($0.key) }) { $1 }
                // Refused because the name is ours, which gives it up at that.
                try await bus.program(["mako"], environment: environment) { _ = try await events.unavailable() }
                try await bus.program(["mako"], environment: environment) {
                    let service = try await events.available()
                    #expect(service.name == "mako")
                    #expect(service.canInvoke && !service.canReply)
                    let pressed = Task {
                        try await bus.run("notify-send", "--action=ok=OK", "--action=no=No", "--wait", "Deploy?")
                    }
                    let id = try await events.shown().id
                    await #expect(throws: NotificationBusError.notPossible(service: "mako")) {
                        try await desktop.invoke(action: "ok", reply: "text", of: id)
                    }
                    try await desktop.invoke(action: "no", reply: nil, of: id)
                    #expect(try await pressed.value == "no")
                    #expect(try await events.next { $0 } == .actionInvoked(id: id, action: "no"))
                }
                await events.end()
            }
        }
    }
}
