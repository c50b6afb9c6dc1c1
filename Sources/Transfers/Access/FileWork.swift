import Dispatch

/// Runs calls that wait for a disk on threads of their own, so that they never hold up the others.
package struct FileWork: Sendable {
    private let queue: DispatchQueue

    /// - Parameter isSerial: One call at a time, in order.
    package init(_ label: String, isSerial: Bool = false) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    /// Begins a call, for which no task waits.
    package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
