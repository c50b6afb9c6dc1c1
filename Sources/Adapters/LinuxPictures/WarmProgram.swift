import Kernel
import PictureWire
import Pictures
import Synchronization

/// The one program that reads pictures: started when it is needed, kept for a while, replaced when it dies.
///
/// ``exchange(_:_:)`` and ``greeting()`` block, and are called by one thread at a time.
final class WarmProgram: Sendable {
    private struct State {
        /// The program while it does nothing.
        var idle: PictureProcess?
        /// The task that ends it.
        var ending: Task<Void, Never>?
        /// Counts uses, so that a task which rings late ends no program that was used since.
        var uses: UInt64 = 0
    }

    private let program: String
    private let limits: LinuxPictures.Limits
    private let time: any TimeSource
    /// Where a program is ended: waiting for its end takes a moment.
    private let work: BlockingWork
    private let state = Mutex(State())

    init(_ program: String, limits: LinuxPictures.Limits, time: any TimeSource, work: BlockingWork) {
        self.program = program
        self.limits = limits
        self.time = time
        self.work = work
    }

    deinit { state.withLock { $0.ending }?.cancel() }

    /// The number of the program that runs and does nothing; nil where none does.
    var idleProcess: Int32? { state.withLock { $0.idle?.id } }

    func exchange(
        _ request: PictureRequest,
        _ picture: [UInt8]
    ) throws(PictureError) -> (reply: PictureReply, text: String, bytes: [UInt8]) {
        let process = try begin()
        let watchdog = watch(process)
        defer { watchdog.cancel() }
        try process.greet()
        let answer = try process.exchange(request, picture)
        keep(process)
        return answer
    }

    /// What the program says of itself.
    func greeting() throws(PictureError) -> (hello: PictureHello, version: String)? {
        let process = try begin()
        let watchdog = watch(process)
        defer { watchdog.cancel() }
        try process.greet()
        keep(process)
        return process.greeting
    }

    /// The idle program, or a new one where there is none or it has died. It is nobody else's until ``keep(_:)``.
    private func begin() throws(PictureError) -> PictureProcess {
        let (idle, ending) = state.withLock { state in
            defer {
                state.idle = nil
                state.ending = nil
                state.uses += 1
            }
            return (state.idle, state.ending)
        }
        ending?.cancel()
        if let idle, idle.isRunning { return idle }
        return try PictureProcess(program)
    }

    private func watch(_ process: PictureProcess) -> Task<Void, Never> {
        let deadline = time.now + limits.patience
        return Task { [time, limits] in
            if await time.pause(until: deadline) { process.giveUp(after: limits.patience) }
        }
    }

    private func keep(_ process: PictureProcess) {
        let deadline = time.now + limits.idle
        state.withLock { state in
            state.idle = process
            let use = state.uses
            state.ending = Task { [weak self, time] in
                if await time.pause(until: deadline) { self?.endIdle(use) }
            }
        }
    }

    private func endIdle(_ use: UInt64) {
        let idle = state.withLock { state -> PictureProcess? in
            guard state.uses == use else { return nil }
            defer { state.idle = nil }
            return state.idle
        }
        // The last reference ends it.
        if let idle { work.perform { withExtendedLifetime(idle) {} } }
    }
}
