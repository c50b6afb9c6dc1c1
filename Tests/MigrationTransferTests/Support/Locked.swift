import Synchronization

/// A value that closures of a test share.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try mutex.withLock { value in
            var copy = value
            let result = try body(&copy)
            value = copy
            return result
        }
    }
}
