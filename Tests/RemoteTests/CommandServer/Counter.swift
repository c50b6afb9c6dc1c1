import Synchronization

/// Counts from 1.
final class Counter: Sendable {
    private let value = Mutex<Int64>(0)

    var count: Int64 { value.withLock { $0 } }

    func next() -> Int64 {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
