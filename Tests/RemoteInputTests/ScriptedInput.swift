import Kernel
import RemoteInput
import RemoteInputHost
import Synchronization

/// A pointer and a keyboard that remember what they did.
final class ScriptedInput: InputAccess {
    final class Device: InputDevice {
        let facts = InputDeviceFacts(way: "x11", typesText: true, stopKey: "Ctrl+Alt+Escape")
        let phone: String
        let ended: @Sendable (InputEnd.Cause) -> Void
        private let state = Mutex((actions: [InputAction](), isClosed: false, failure: InputError?.none))

        init(phone: String, ended: @escaping @Sendable (InputEnd.Cause) -> Void) {
            self.phone = phone
            self.ended = ended
        }

        var actions: [InputAction] { state.withLock(\.actions) }
        var isClosed: Bool { state.withLock(\.isClosed) }

        func fail(with error: InputError?) { state.withLock { $0.failure = error } }

        func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
            done(
                state.withLock { state in
                    if state.failure == nil { state.actions += actions }
                    return state.failure
                }
            )
        }

        func close() async { state.withLock { $0.isClosed = true } }
    }

    private let opened = Mutex<[Device]>([])
    private let failure: InputError?
    private let recoveries = LatestValue(0)

    init(failure: InputError? = nil) { self.failure = failure }

    var devices: [Device] { opened.withLock(\.self) }
    /// Whether what a killed program held was let go of.
    var hasRecovered: Bool { recoveries.value > 0 }

    func open(for phone: String, ended: @escaping @Sendable (InputEnd.Cause) -> Void) async throws -> any InputDevice {
        if let failure { throw failure }
        let device = Device(phone: phone, ended: ended)
        opened.withLock { $0.append(device) }
        return device
    }

    func way() async throws -> String {
        if let failure { throw failure }
        return "x11"
    }

    func areas() async throws -> [InputArea] {
        [InputArea(x: 800, y: 0, width: 400, height: 300), InputArea(x: 0, y: 0, width: 800, height: 600)]
    }

    func recover() async { recoveries.update { $0 += 1 } }
}
