import Dispatch
import Synchronization

/// Runs calls that wait for a disk on threads of their own, a few at a time and in the order in which they came, so that they never hold
/// up the threads that all tasks share.
final class DiskWork: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let width: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// - Parameter width: Calls that run at a time.
    init(_ label: String, width: Int) {
        self.width = width
        queue = DispatchQueue(label: label, attributes: .concurrent)
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: Result { try work() }) }
        }
    }

    private func submit(_ call: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            guard state.running < width else {
                state.waiting.append(call)
                return false
            }
            state.running += 1
            return true
        }
        if begins { queue.async { self.perform(call) } }
    }

    private func perform(_ first: @Sendable () -> Void) {
        first()
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
