import DesktopNotifications
import Dispatch
import Kernel
import LinuxBus
import LinuxDesktopTesting
import LinuxNotifications
import Synchronization

/// A notification service without a screen, in place of a desktop's.
final class FakeService: Sendable {
    private struct State {
        var connection: BusConnection?
        var lastID: UInt32 = 0
        var calls: [String] = []
        var isSilent = false
    }

    private let name: String
    private let queue = DispatchQueue(label: "tandem.test.service")
    private let state = Mutex(State())

    /// - Parameter firstID: Of the first notification.
    init(name: String = "fake", firstID: UInt32 = 1) {
        self.name = name
        state.withLock { $0.lastID = firstID - 1 }
    }

    /// - Parameter flags: Of the bus's `RequestName`: 2 replaces one that allows it, 4 does not wait.
    /// - Returns: 1 where it is the service now, 2 where it waits, 3 where another one is.
    func start(on bus: SessionBus, flags: UInt32 = 4) async throws -> UInt32 {
        let connection = BusConnection(
            queue: queue,
            handle: { [weak self] in self?.take($0) },
            ended: { _ in }
        )
        state.withLock { $0.connection = connection }
        try await connection.open(bus.address)
        return try await connection.call(
            .bus("RequestName", .text(NotificationsName.service), .unsigned(flags))
        ) { $0.unsigned() }
    }

    func stop() { state.withLock { $0.connection }?.close() }

    /// Answers no more.
    func fallSilent() { state.withLock { $0.isSilent = true } }

    /// Sends a signal to all.
    func emit(_ member: String, _ arguments: BusArgument...) {
        let connection = state.withLock { $0.connection }
        queue.async { connection?.signal(member, to: nil, arguments) }
    }

    var calls: [String] { state.withLock { $0.calls } }

    private func take(_ message: BusMessage) {
        let (connection, isSilent) = state.withLock { ($0.connection, $0.isSilent) }
        guard message.kind == .call, let connection, let member = message.member, !isSilent else { return }
        state.withLock { $0.calls.append(member) }
        switch member {
        case "GetServerInformation":
            connection.answer(message, [.text(name), .text("tests"), .text("7"), .text("1.2")])
        case "GetCapabilities": connection.answer(message, [.texts(["body", "body-markup", "actions"])])
        case "Notify":
            guard message.text(limit: 128) != nil, let replaced = message.unsigned() else {
                return connection.refuse(message, "org.freedesktop.DBus.Error.InvalidArgs", "not as specified")
            }
            let id = state.withLock { state in
                if replaced == 0 { state.lastID += 1 }
                return replaced == 0 ? state.lastID : replaced
            }
            connection.answer(message, [.unsigned(id)])
        case "CloseNotification":
            guard let id = message.unsigned() else { return }
            guard id < 1000 else {
                return connection.refuse(message, "org.freedesktop.DBus.Error.Failed", "There is no such notification")
            }
            connection.answer(message, [])
            connection.signal("NotificationClosed", to: message.sender, [.unsigned(id), .unsigned(3)])
        default: connection.refuse(message, "org.freedesktop.DBus.Error.UnknownMethod", member)
        }
    }
}
