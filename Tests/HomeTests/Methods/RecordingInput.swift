import RemoteInput
import RemoteInputHost

/// A pointer and a keyboard that note each use.
final class RecordingInput: InputAccess {
    private struct Device: InputDevice {
        let facts = InputDeviceFacts(way: "x11", typesText: true, stopKey: "Ctrl+Alt+Escape")
        let log: EffectLog

        func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
            log.note("use the pointer and the keyboard")
            done(nil)
        }

        func close() async {}
    }

    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    func open(_ opening: InputOpening) async throws -> any InputDevice {
        log.note("open the pointer and the keyboard")
        return Device(log: log)
    }

    func way() async throws -> String { "x11" }

    func areas() async throws -> [InputArea] { [InputArea(x: 0, y: 0, width: 1280, height: 800)] }

    func recover() async {}
}
