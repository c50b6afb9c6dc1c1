import Synchronization

/// What anything behind the gate was made to do. Empty: nothing was done, and nothing was looked at.
final class EffectLog: Sendable {
    private let noted = Mutex<[String]>([])

    var effects: [String] { noted.withLock(\.self) }

    func note(_ effect: String) { noted.withLock { $0.append(effect) } }

    func clear() { noted.withLock { $0 = [] } }
}
