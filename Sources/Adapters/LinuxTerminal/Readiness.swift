import Dispatch
import Synchronization

/// Tells when a descriptor can be read or written: once for each ``arm()``.
///
/// `@unchecked Sendable`: libdispatch's sources may be resumed, suspended and cancelled by any thread, and each call happens
/// under the lock of `state`, which says whether the source is suspended.
final class Readiness: @unchecked Sendable {
    private enum State {
        case suspended, armed, cancelled
    }

    private let source: any DispatchSourceProtocol
    private let state = Mutex(State.suspended)

    /// - Parameter whenReady: Called on `queue`, never while ``arm()`` or ``cancel()`` runs.
    init(reading descriptor: Int32, queue: DispatchQueue, whenReady: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.fired(whenReady) }
    }

    init(writing descriptor: Int32, queue: DispatchQueue, whenReady: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.fired(whenReady) }
    }

    deinit { cancel() }

    func arm() {
        state.withLock { state in
            guard state == .suspended else { return }
            state = .armed
            source.resume()
        }
    }

    /// - Parameter whenDone: Called once the descriptor may be closed.
    func cancel(whenDone: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            guard state != .cancelled else { return }
            source.setCancelHandler(handler: whenDone)
            source.cancel()
            // A suspended source never gets to its cancel handler, and must not be released.
            if state == .suspended { source.resume() }
            state = .cancelled
        }
    }

    private func fired(_ whenReady: () -> Void) {
        let isDue = state.withLock { state in
            guard state == .armed else { return false }
            source.suspend()
            state = .suspended
            return true
        }
        if isDue { whenReady() }
    }
}
