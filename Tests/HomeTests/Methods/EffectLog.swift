import Synchronization

/// What anything behind the gate was made to do. Empty: nothing was done, and nothing was looked at.
final class EffectLog: Sendable {
    /// Set for what a feature does by itself, without being asked: that is no effect of a request.
    @TaskLocal static var isUnasked = false

    private let noted = Mutex<[String]>([])

    var effects: [String] { noted.withLock(\.self) }

    func note(_ effect: String) {
        if !Self.isUnasked { noted.withLock { $0.append(effect) } }
    }

    func clear() { noted.withLock { $0 = [] } }
}
