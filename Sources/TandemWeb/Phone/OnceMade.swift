import Synchronization

/// A value that is made when it is first wanted. Who comes meanwhile waits for the same making.
final class OnceMade<Value: Sendable>: Sendable {
    private let make: @Sendable () async throws -> Value
    private let task = Mutex<Task<Value, any Error>?>(nil)

    init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

    func value() async throws -> Value {
        let task = task.withLock { task in
            let making = task ?? Task { [make] in try await make() }
            task = making
            return making
        }
        return try await task.value
    }
}
