import Dispatch
import Kernel
import LinuxBus
import RemoteInput
import RemoteInputHost
import Synchronization

/// A notification that stays while a phone controls the computer, with a button that ends it: on Wayland a program takes no keys for itself, and draws no line
/// above all windows. Source: the Desktop Notifications Specification 1.2.
final class StopNotice: Sendable {
    private enum Name {
        static let service = "org.freedesktop.Notifications"
        static let path = "/org/freedesktop/Notifications"
        static let stop = "stop"
        /// A press on the notification itself, where programs draw no buttons. Source: the specification, "Actions".
        static let press = "default"
    }

    private struct State {
        /// The service's own name on the bus: any program may send signals.
        var owner: String?
        var id: UInt32?
        var isOver = false
    }

    private static let limit = Duration.seconds(3)

    private let bus: BusConnection
    private let state: SharedState
    private let phone: String

    private init(_ bus: BusConnection, _ state: SharedState, phone: String) {
        self.bus = bus
        self.state = state
        self.phone = phone
    }

    /// Shows it.
    ///
    /// - Parameter pressed: Called once when its button was pressed. On any thread.
    /// - Returns: Nil where the session shows no notifications with buttons.
    static func show(
        for phone: String,
        environment: [String: String],
        time: any TimeSource,
        pressed: @escaping @Sendable () -> Void
    ) async -> StopNotice? {
        guard let address = try? SessionBusAddress.find(in: environment) else { return nil }
        let state = SharedState(pressed)
        let bus = BusConnection(
            queue: DispatchQueue(label: "tandem.stop-notice"),
            time: time,
            handle: { state.take($0) },
            ended: { _ in }
        )
        let notice = StopNotice(bus, state, phone: phone)
        do {
            try await bus.openOwn(address)
            try await bus.call(
                .bus("AddMatch", .text("type='signal',sender='\(Name.service)',interface='\(Name.service)'"))
            )
            let capabilities = try await bus.call(request("GetCapabilities"), within: limit) {
                $0.texts(count: 64, limit: 64)
            }
            guard capabilities.contains("actions") else { throw BusError.refused(reason: "it has no buttons") }
            let owner = try await bus.call(.bus("GetNameOwner", .text(Name.service))) { $0.text(limit: 255) }
            state.value.withLock { $0.owner = owner }
            try await notice.show()
            return notice
        } catch {
            // The control is shown in other places, too, and ended by a command.
            bus.close()
            return nil
        }
    }

    func close() async {
        let id = state.value.withLock { state in
            state.isOver = true
            return state.id
        }
        if let id { try? await bus.call(Self.request("CloseNotification", [.unsigned(id)]), within: Self.limit) }
        bus.close()
    }

    private func show() async throws {
        let title = "\(TerminalText.line(phone).prefix(40)) controls this computer"
        let hints: [BusArgument.Entry] = [
            .init("urgency", .byte(2)), .init("resident", .flag(true)), .init("desktop-entry", .text("tandem")),
            .init("suppress-sound", .flag(true)), .init("x-tandem-presented", .flag(true)),
        ]
        let body = "It moves the pointer and types. A press ends it, and so does: tandem input stop"
        let arguments: [BusArgument] = [
            .text("Tandem"), .unsigned(0), .text(""), .text(title), .text(body),
            .texts([Name.press, "Stop", Name.stop, "Stop"]),
            // 0: it does not go by itself.
            .dictionary(hints), .signed(0),
        ]
        try await bus.call(Self.request("Notify", arguments), within: Self.limit) { [state] message -> Void? in
            guard let id = message.unsigned() else { return nil }
            // On the queue, so that no signal about it comes before its number is known.
            state.value.withLock { $0.id = id }
            return ()
        }
    }

    private static func request(_ member: String, _ arguments: [BusArgument] = []) -> BusRequest {
        BusRequest(destination: Name.service, path: Name.path, interface: Name.service, member: member, arguments)
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
        private let pressed: @Sendable () -> Void

        init(_ pressed: @escaping @Sendable () -> Void) { self.pressed = pressed }

        /// Takes a signal. On the bus's queue.
        func take(_ message: BusMessage) {
            guard message.kind == .signal, message.interface == Name.service, message.member == "ActionInvoked",
                message.has(signature: "us"), let id = message.unsigned(), let key = message.text(limit: 16),
                key == Name.stop || key == Name.press
            else { return }
            let isFirst = value.withLock { state in
                guard !state.isOver, state.id == id, state.owner == message.sender else { return false }
                state.isOver = true
                return true
            }
            if isFirst { pressed() }
        }
    }
}

/// A pointer and a keyboard with a notification beside them that ends them.
final class NoticedInput: InputDevice {
    let facts: InputDeviceFacts
    private let device: any InputDevice
    private let notice: StopNotice

    init(_ device: any InputDevice, _ notice: StopNotice) {
        self.device = device
        self.notice = notice
        facts = device.facts
    }

    func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
        device.begin(actions, done: done)
    }

    func close() async {
        await device.close()
        await notice.close()
    }
}
