import Synchronization

/// Tasks that wait for a turn or for news, first come, first served. One that is cancelled leaves the line.
///
/// Joining and waiting are two steps, so that an actor can look at its state, join, and miss nothing that happens
/// before it waits.
package final class FIFOWaiters: Sendable {
    private enum Entry {
        case joined
        case waiting(CheckedContinuation<Void, any Error>)
        case woken
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var next: UInt64 = 0
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    package init() {}

    /// A place in the line. Every place is waited at, once.
    package func join() -> UInt64 {
        state.withLock { state in
            defer { state.next += 1 }
            state.entries[state.next] = .joined
            return state.next
        }
    }

    /// - Throws: `CancellationError`, or what ``end(throwing:)`` was given.
    package func wait(at place: UInt64) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.withLock { state in
                    switch state.entries[place] {
                    case .woken:
                        state.entries[place] = nil
                        return .success(())
                    case .joined:
                        if let failure = state.failure {
                            state.entries[place] = nil
                            return .failure(failure)
                        }
                        state.entries[place] = .waiting(continuation)
                        return nil
                    case .waiting, nil:
                        return .failure(CancellationError())
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let entry = state.withLock { state -> Entry? in
                // A task that was woken before has the turn and must take it: no other task would.
                if case .woken = state.entries[place] { return nil }
                return state.entries.removeValue(forKey: place)
            }
            if case .waiting(let continuation) = entry { continuation.resume(throwing: CancellationError()) }
        }
    }

    /// Gives up a place that is not going to be waited at.
    package func leave(_ place: UInt64) {
        state.withLock { _ = $0.entries.removeValue(forKey: place) }
    }

    /// Wakes the first in line.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func wakeFirst() -> Bool {
        let (isAwake, continuation) = state.withLock { state in Self.wakeFirst(in: &state) }
        continuation?.resume()
        return isAwake
    }

    package func wakeAll() {
        while wakeFirst() {}
    }

    /// Ends every wait, now and later.
    package func end(throwing failure: any Error) {
        let waiting = state.withLock { state in
            state.failure = failure
            let waiting = state.entries.filter { if case .waiting = $0.value { true } else { false } }
            for place in waiting.keys { state.entries[place] = nil }
            return waiting.values
        }
        for case .waiting(let continuation) in waiting { continuation.resume(throwing: failure) }
    }

    private static func wakeFirst(in state: inout State) -> (Bool, CheckedContinuation<Void, any Error>?) {
        guard !state.entries.isEmpty else { return (false, nil) }
        let first = state.entries.filter { if case .woken = $0.value { false } else { true } }.keys.min()
        guard let first, let entry = state.entries[first] else { return (false, nil) }
        if case .waiting(let continuation) = entry {
            state.entries[first] = nil
            return (true, continuation)
        }
        state.entries[first] = .woken
        return (true, nil)
    }
}
