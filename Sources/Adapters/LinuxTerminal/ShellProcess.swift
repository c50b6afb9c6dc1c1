import CLinux
import Dispatch
import Glibc
import Synchronization
import Terminal

/// A child process: its end, and the end by force. No other code may wait for it.
final class ShellProcess: Sendable {
    private struct State {
        var exit: TerminalExit?
        var waiting: [CheckedContinuation<TerminalExit, Never>] = []
        var readiness: Readiness?
    }

    let id: pid_t
    private let state = Mutex(State())

    /// - Throws: ``TerminalError/notStarted(code:)``; then the process has been ended.
    init(_ id: pid_t, queue: DispatchQueue) throws(TerminalError) {
        self.id = id
        let descriptor = ChildStart.watch(id, orEndingGroup: false)
        guard descriptor >= 0 else { throw .notStarted(code: -descriptor) }
        // The process is kept by its descriptor's source until it has ended.
        let readiness = Readiness(reading: descriptor, queue: queue) { self.reap(descriptor) }
        state.withLock { $0.readiness = readiness }
        readiness.arm()
    }

    func exit() async -> TerminalExit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiting.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    /// The number belongs to the process until it has been reaped, which happens under the same lock.
    func kill() {
        state.withLock { state in
            if state.exit == nil { Glibc.kill(id, SIGKILL) }
        }
    }

    private func reap(_ descriptor: Int32) {
        var code: Int32 = -1
        var signal: Int32 = -1
        let (exit, waiting, readiness) = state.withLock { state in
            let result = tandem_process_reap(id, &code, &signal)
            // The descriptor was readable, so the process has ended; only a wait elsewhere could have taken its status.
            let exit: TerminalExit = result == 0 && signal >= 0 ? .killed(signal: signal) : .exited(code: max(code, 0))
            state.exit = exit
            defer {
                state.waiting = []
                state.readiness = nil
            }
            return (exit, state.waiting, state.readiness)
        }
        readiness?.cancel { close(descriptor) }
        for continuation in waiting { continuation.resume(returning: exit) }
    }
}
