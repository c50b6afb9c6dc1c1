import Synchronization

/// Who is told of the end of which session. Looked up by the session's id: an end costs those that watch it, and a watcher a few words, because each
/// socket of a hub has one and most of them never hear of anything.
final class SessionEndings: Sendable {
    private struct State {
        var watchers: [String: [UInt64: @Sendable () -> Void]] = [:]
        var number: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// - Parameter told: Called at most once, on any thread, and at once after ``finish()``. It must not wait.
    func watch(_ id: String, _ told: @escaping @Sendable () -> Void) -> SessionWatch {
        let number = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.number += 1
            state.watchers[id, default: [:]][state.number] = told
            return state.number
        }
        guard let number else {
            told()
            return SessionWatch { false }
        }
        return SessionWatch { [weak self] in self?.take(number, of: id) ?? false }
    }

    /// Tells whoever watches the session.
    func tell(_ id: String) {
        let watchers = state.withLock { $0.watchers.removeValue(forKey: id) }
        // Outside of the lock: they may stop watching others.
        for watcher in (watchers ?? [:]).values { watcher() }
    }

    /// Tells everybody, and whoever comes later.
    func finish() {
        let all = state.withLock { state in
            state.isFinished = true
            defer { state.watchers = [:] }
            return state.watchers
        }
        for watchers in all.values { for watcher in watchers.values { watcher() } }
    }

    /// - Returns: Whether it was there.
    private func take(_ number: UInt64, of id: String) -> Bool {
        // Let go of outside of the lock, since it may be the last to hold something.
        let watcher = state.withLock { state in
            let watcher = state.watchers[id]?.removeValue(forKey: number)
            if state.watchers[id]?.isEmpty == true { state.watchers[id] = nil }
            return watcher
        }
        return watcher != nil
    }
}

/// Somebody who waits for the end of a session.
package struct SessionWatch: Sendable {
    private let end: @Sendable () -> Bool

    init(_ end: @escaping @Sendable () -> Bool) { self.end = end }

    /// Ends the watch.
    ///
    /// - Returns: Whether it was not told, and will not be. Otherwise it may be just being told.
    @discardableResult
    package func cancel() -> Bool { end() }
}
