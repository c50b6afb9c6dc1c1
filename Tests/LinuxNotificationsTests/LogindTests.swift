import DesktopNotifications
import Dispatch
import Glibc
import Kernel
import LinuxBus
import LinuxDesktopTesting
import LinuxNotifications
import LinuxPower
import PowerHost
import Synchronization
import Testing

/// logind's part of a bus, which a test plays.
private final class FakeLogind: Sendable {
    private struct State {
        var connection: BusConnection?
        var calls: [String] = []
        var canSuspend = "yes"
        var sessions: [[BusArgument]] = []
        var refusal: (name: String, sentence: String)?
    }

    private let queue = DispatchQueue(label: "tandem.test.logind")
    private let state = Mutex(State())

    func start(on bus: SessionBus) async throws {
        let connection = BusConnection(queue: queue, handle: { [weak self] in self?.take($0) }, ended: { _ in })
        state.withLock { $0.connection = connection }
        try await connection.open(bus.address)
        let granted = try await connection.call(
            .bus("RequestName", .text("org.freedesktop.login1"), .unsigned(4))
        ) { $0.unsigned() }
        try #require(granted == 1)
    }

    func stop() { state.withLock { $0.connection }?.close() }

    var calls: [String] { state.withLock { $0.calls } }

    func canSuspend(_ word: String) { state.withLock { $0.canSuspend = word } }

    func refuse(_ name: String, _ sentence: String) { state.withLock { $0.refusal = (name, sentence) } }

    func sessions(_ sessions: [(id: String, user: UInt32, seat: String)]) {
        state.withLock { state in
            state.sessions = sessions.map { session in
                [
                    .text(session.id), .unsigned(session.user), .text("someone"), .text(session.seat),
                    .path("/org/freedesktop/login1/session/_3\(session.id.count)"),
                ]
            }
        }
    }

    private func take(_ message: BusMessage) {
        let state = state.withLock { $0 }
        guard message.kind == .call, let connection = state.connection, let member = message.member else { return }
        let text = member == "LockSession" ? message.text(limit: 64) : nil
        self.state.withLock { $0.calls.append([member, text].compactMap(\.self).joined(separator: " ")) }
        if let refusal = state.refusal, member == "LockSession" || member == "Suspend" {
            return connection.refuse(message, refusal.name, refusal.sentence)
        }
        switch member {
        case "CanSuspend": connection.answer(message, [.text(state.canSuspend)])
        case "ListSessions": connection.answer(message, [.structures(of: "susso", state.sessions)])
        case "LockSession", "Suspend": connection.answer(message, [])
        default: connection.refuse(message, "org.freedesktop.DBus.Error.UnknownMethod", member)
        }
    }
}

@Suite("Locking and sleeping by logind", .timeLimit(.minutes(2)))
struct LogindTests {
    private static func run(_ body: @escaping @Sendable (FakeLogind, LinuxPower) async throws -> Void) async throws {
        try await SessionBus.running { bus in
            let logind = FakeLogind()
            try await logind.start(on: bus)
            try await body(logind, LinuxPower(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]))
            logind.stop()
        }
    }

    @Test(
        "the user's session with a screen is locked, not one over the network nor another user's; sleep is asked for without a dialog"
    )
    func lockAndSleep() async throws {
        try await Self.run { logind, power in
            logind.sessions([("c1", getuid() + 1, "seat0"), ("7", getuid(), ""), ("c22", getuid(), "seat0")])
            #expect(await power.lockObstacle() == nil)
            #expect(await power.sleepObstacle() == nil)
            try await power.lock()
            try await power.sleep()
            #expect(
                logind.calls.filter { !$0.hasPrefix("List") } == [
                    "CanSuspend", "LockSession c22", "CanSuspend", "Suspend",
                ]
            )
        }
    }

    @Test("without a session, without the permission, and without a sleep the sentence says which")
    func obstacles() async throws {
        try await Self.run { logind, power in
            await #expect(throws: PowerError.noSession) { try await power.lock() }
            #expect(await power.lockObstacle() == "\(PowerError.noSession)")
            logind.canSuspend("challenge")
            await #expect(throws: PowerError.notPermitted) { try await power.sleep() }
            logind.canSuspend("na")
            #expect(await power.sleepObstacle() == "\(PowerError.cannotSleep)")
            logind.canSuspend("yes")
            logind.refuse(
                "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
                "Interactive authentication required."
            )
            await #expect(throws: PowerError.notPermitted) { try await power.sleep() }
            logind.refuse("org.freedesktop.login1.OperationInProgress", "There is already a shutdown in progress")
            await #expect(throws: PowerError.refused(reason: "There is already a shutdown in progress")) {
                try await power.sleep()
            }
            #expect(!logind.calls.contains("LockSession"))
        }
    }

    @Test("a bus without logind is told apart from a refusal")
    func absent() async throws {
        try await SessionBus.running { bus in
            let power = LinuxPower(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
            await #expect(throws: PowerError.noManager(reason: "no such service")) { try await power.lock() }
        }
    }
}
