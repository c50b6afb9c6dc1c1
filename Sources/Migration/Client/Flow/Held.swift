import Synchronization

/// A value that one task sets and another takes.
final class Held<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    var value: Value? { content.withLock(\.self) }

    func set(_ value: Value) { content.withLock { $0 = value } }
}
