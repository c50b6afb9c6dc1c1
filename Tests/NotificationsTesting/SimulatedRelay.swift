import CommandServer
import Commands
import Kernel
import Notifications
import Rights
import Synchronization

/// What is on its way from a computer to its phones, and who of them is there.
final class SimulatedRelay: DeviceOutlet {
    private struct State {
        var flying: [String: [NotificationEvent]] = [:]
        var away: Set<String> = []
        var isComputerGone = false
        var tried: [String: Int] = [:]
        var restarts = 0
    }

    private let phones: [Caller]
    private let state = Mutex(State())

    init(_ phones: [Caller]) { self.phones = phones }

    var restarts: Int { state.withLock(\.restarts) }

    // MARK: The computer's side

    func devices(needing right: Right?) -> [OutletDevice] {
        phones.map { OutletDevice(id: $0.id, name: $0.name, keepsEvents: true) }
    }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        let isHere = state.withLock { state in
            state.tried[device, default: 0] += 1
            guard !state.isComputerGone, !state.away.contains(device) else { return false }
            if let event = NotificationEvent(RemoteEvent(kind, members)) {
                state.flying[device, default: []].append(event)
            }
            return true
        }
        guard isHere else { throw RemoteError.notConnected }
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {}

    func keep(
        _ kind: EventKind,
        _ members: [String: JSONValue],
        replacing key: String?,
        for device: String
    ) async throws {
        try await send(kind, members, to: device)
    }

    /// Events that the computer tried to send, by phone.
    var tried: [String: Int] { state.withLock(\.tried) }

    /// Whether the computer tried to send at least so many to each phone.
    func hasTried(_ counts: [String: Int]) -> Bool {
        state.withLock { state in counts.allSatisfy { state.tried[$0.key] ?? 0 >= $0.value } }
    }

    /// From now on nothing leaves the computer: it ends, whatever it still does.
    func loseComputer() { state.withLock { $0.isComputerGone = true } }

    /// The computer is there again. What was on its way is lost.
    func regainComputer() {
        state.withLock { state in
            state.isComputerGone = false
            state.flying = [:]
        }
    }

    // MARK: A phone's side

    func isHere(_ device: String) -> Bool {
        state.withLock { !$0.away.contains(device) && !$0.isComputerGone }
    }

    /// What arrives, in the order in which it left.
    func take(_ device: String) -> [NotificationEvent] {
        state.withLock { $0.flying.removeValue(forKey: device) ?? [] }
    }

    /// One that arrived comes another time, later.
    func delay(_ events: [NotificationEvent], for device: String) {
        state.withLock { $0.flying[device, default: []] += events }
    }

    /// Its connection ends. What was on its way is lost.
    func leave(_ device: String) {
        state.withLock { state in
            state.away.insert(device)
            state.flying[device] = nil
        }
    }

    func come(_ device: String) { state.withLock { _ = $0.away.remove(device) } }

    // MARK: Itself

    /// Everything that was on its way is lost, and everyone has to come again.
    func restart() {
        state.withLock { state in
            state.restarts += 1
            state.flying = [:]
            state.away = Set(phones.map(\.id))
        }
    }
}
