import CLinux
package import Dispatch
import Foundation
import Glibc
import Synchronization

/// Tells when a descriptor can be read or written: once for each ``arm()``.
///
/// Not a source of libdispatch: cancelling one while its event is under way can end the process on Linux, because libdispatch frees what the
/// event still points to. Here an event carries a number, and one that belongs to nothing any more is dropped.
package final class Readiness: Sendable {
    /// The time between two looks where the system has no descriptor left to wait with.
    private static let poll = DispatchTimeInterval.milliseconds(50)

    private enum State {
        case suspended, armed, cancelled
    }

    /// A descriptor of its own for the same file: one may be waited for by two of these.
    private let own: Int32
    private let id: UInt64
    private let writes: Bool
    private let queue: DispatchQueue
    private let whenReady: @Sendable () -> Void
    private let state = Mutex(State.suspended)

    /// - Parameter whenReady: Called on `queue`, never while ``arm()`` or ``cancel()`` runs.
    package convenience init(
        reading descriptor: Int32,
        queue: DispatchQueue,
        whenReady: @escaping @Sendable () -> Void
    ) {
        self.init(descriptor, writes: false, queue, whenReady)
    }

    package convenience init(
        writing descriptor: Int32,
        queue: DispatchQueue,
        whenReady: @escaping @Sendable () -> Void
    ) {
        self.init(descriptor, writes: true, queue, whenReady)
    }

    private init(
        _ descriptor: Int32,
        writes: Bool,
        _ queue: DispatchQueue,
        _ whenReady: @escaping @Sendable () -> Void
    ) {
        own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.writes = writes
        self.queue = queue
        self.whenReady = whenReady
        id = ReadinessLoop.shared.reserve()
        ReadinessLoop.shared.add(own, id) { [weak self] in self?.ready() }
    }

    deinit { cancel() }

    package func arm() {
        let isWaiting = state.withLock { state in
            guard state == .suspended else { return true }
            state = .armed
            return own >= 0 && tandem_ready_arm(ReadinessLoop.shared.set, own, id, writes ? 1 : 0) == 0
        }
        if !isWaiting { queue.asyncAfter(deadline: .now() + Self.poll) { [weak self] in self?.fired() } }
    }

    /// - Parameter whenDone: Called once the descriptor may be closed.
    package func cancel(whenDone: @escaping @Sendable () -> Void = {}) {
        let isFirst = state.withLock { state in
            guard state != .cancelled else { return false }
            state = .cancelled
            return true
        }
        guard isFirst else { return }
        ReadinessLoop.shared.remove(own, id)
        if own >= 0 { close(own) }
        queue.async(execute: whenDone)
    }

    private func ready() { queue.async { [weak self] in self?.fired() } }

    private func fired() {
        let isDue = state.withLock { state in
            guard state == .armed else { return false }
            state = .suspended
            return true
        }
        if isDue { whenReady() }
    }
}

/// The one thread that waits for all descriptors.
private final class ReadinessLoop: Sendable {
    static let shared = ReadinessLoop()

    private struct Table {
        var entries: [UInt64: @Sendable () -> Void] = [:]
        var next: UInt64 = 0
    }

    /// The system's set of descriptors; negative where it gives none.
    let set: Int32
    private let table = Mutex(Table())

    private init() {
        set = tandem_ready_open()
        guard set >= 0 else { return }
        let thread = Thread { [self] in wait() }
        thread.name = "tandem.readiness"
        thread.stackSize = 256 << 10
        thread.start()
    }

    func reserve() -> UInt64 {
        table.withLock { table in
            table.next += 1
            return table.next
        }
    }

    func add(_ descriptor: Int32, _ id: UInt64, _ ready: @escaping @Sendable () -> Void) {
        guard descriptor >= 0, set >= 0 else { return }
        table.withLock { $0.entries[id] = ready }
        _ = tandem_ready_add(set, descriptor, id)
    }

    func remove(_ descriptor: Int32, _ id: UInt64) {
        table.withLock { $0.entries[id] = nil }
        if descriptor >= 0, set >= 0 { _ = tandem_ready_remove(set, descriptor) }
    }

    private func wait() {
        var ids = [UInt64](repeating: 0, count: 64)
        while true {
            let count = tandem_ready_wait(set, &ids, Int32(ids.count))
            // Interrupted: by a signal, or by a debugger.
            guard count > 0 else { continue }
            for id in ids[..<Int(count)] { table.withLock { $0.entries[id] }?() }
        }
    }
}
