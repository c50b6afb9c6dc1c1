import Kernel
import RemoteInput
import RemoteInputHost
import Synchronization

/// A pointer and a keyboard that remember what they did.
final class ScriptedInput: InputAccess {
    final class Device: InputDevice {
        let facts: InputDeviceFacts
        let phone: String
        let ended: @Sendable (InputEnd.Cause) -> Void
        private let state = Mutex((actions: [InputAction](), isClosed: false, failure: InputError?.none))

        init(facts: InputDeviceFacts, phone: String, ended: @escaping @Sendable (InputEnd.Cause) -> Void) {
            self.facts = facts
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

    private let facts: InputDeviceFacts
    private let asks: Bool

    /// - Parameter asks: Whether the person at the computer is asked first, as a portal does, whose pointer goes to no place.
    init(failure: InputError? = nil, asks: Bool = false) {
        self.failure = failure
        self.asks = asks
        facts =
            asks
            ? InputDeviceFacts(way: "portal", typesText: true, stopKey: nil, places: false)
            : InputDeviceFacts(way: "x11", typesText: true, stopKey: "Ctrl+Alt+Escape")
    }

    var devices: [Device] { opened.withLock(\.self) }
    /// Whether what a killed program held was let go of.
    var hasRecovered: Bool { recoveries.value > 0 }

    func open(_ opening: InputOpening) async throws -> any InputDevice {
        if let failure { throw failure }
        if asks { opening.asks(.seconds(60)) }
        let device = Device(facts: facts, phone: opening.phone, ended: opening.ended)
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
