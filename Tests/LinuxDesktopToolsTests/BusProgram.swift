import Dispatch
import Kernel
import LinuxBus
import LinuxDesktopTesting
import Synchronization

/// A program with a name on a session bus, which a test plays.
final class BusProgram: Sendable {
    /// Answers a call, on the connection's queue, and says what it was.
    typealias Answering = @Sendable (_ call: BusMessage, _ connection: BusConnection) -> String

    private let name: String
    private let answering: Answering
    private let queue = DispatchQueue(label: "tandem.test.program")
    private let connection = Mutex<BusConnection?>(nil)
    private let said = LatestValue<[String]>([])

    init(_ name: String, answering: @escaping Answering) {
        self.name = name
        self.answering = answering
    }

    func start(on bus: SessionBus) async throws {
        let connection = BusConnection(queue: queue, handle: { [weak self] in self?.take($0) }, ended: { _ in })
        self.connection.withLock { $0 = connection }
        try await connection.open(bus.address)
        let granted = try await connection.call(.bus("RequestName", .text(name), .unsigned(4))) { $0.unsigned() }
        guard granted == 1 else { throw SessionBus.Failure(message: "\(name) is another's") }
    }

    func stop() { connection.withLock(\.self)?.close() }

    /// The calls until now, as they were said: behind what the queue does now, which may have answered a call and not said it yet.
    var calls: [String] { queue.sync { said.value } }

    /// Waits for a call that was said so.
    func waits(for call: String) async {
        for await calls in said.values() where calls.contains(call) { return }
    }

    func emit(
        _ member: String,
        of interface: String,
        at path: String,
        to destination: String? = nil,
        _ arguments: BusArgument...
    ) {
        let connection = connection.withLock(\.self)
        queue.async { connection?.signal(member, of: interface, at: path, to: destination, arguments) }
    }

    private func take(_ message: BusMessage) {
        guard message.kind == .call, let connection = connection.withLock(\.self) else { return }
        let call = answering(message, connection)
        said.update { $0.append(call) }
    }
}

extension BusMessage {
    /// The texts and numbers of a dictionary, such as `types=3`, in their order.
    func entries() -> [String: String] {
        var entries: [String: String] = [:]
        _ = eachEntry(upTo: 32) { name, contents in
            switch contents {
            case "s": entries[name] = inVariant(contents) { $0.text(limit: 256) }
            case "u": entries[name] = inVariant(contents) { $0.unsigned() }.map { "\($0)" }
            default: return skip("v")
            }
            return true
        }
        return entries
    }

    /// The values of a call's arguments of these types, one character each.
    func values(_ types: String) -> String {
        types.map { type in
            switch type {
            case "d": number("d", UInt64.self).map { "\(Double(bitPattern: $0))" } ?? "?"
            case "i": signed().map { "\($0)" } ?? "?"
            case "u": unsigned().map { "\($0)" } ?? "?"
            case "s": text(limit: 256) ?? "?"
            default: "?"
            }
        }.joined(separator: " ")
    }
}

/// The types behind the session and the options of each event of a portal.
let portalEvents = [
    "NotifyPointerMotion": "dd", "NotifyPointerButton": "iu", "NotifyPointerAxis": "dd",
    "NotifyPointerAxisDiscrete": "ui", "NotifyKeyboardKeycode": "iu", "NotifyKeyboardKeysym": "iu",
]
