import CLinux
import Dispatch
import Glibc
import Kernel
import LinuxTerminal
import Synchronization

/// How a program ended.
package enum ProgramEnd: Hashable, Sendable {
    case exited(code: Int32)
    case killed(signal: Int32)
}

/// A program with pipes, the leader of a session and a process group. No other code may wait for it.
package final class ChildProcess: Sendable {
    /// Bytes given and not yet taken by the program.
    package static let inputLimit = 4 << 20
    /// Bytes that are kept of its complaints on stderr.
    package static let complaintLimit = 8 << 10
    /// The time after its input was closed and it was asked to end, until it is ended by force.
    package static let grace = Duration.seconds(3)

    private struct State {
        var exit: ProgramEnd?
        var isInputOpen = true
        var unwritten: ArraySlice<UInt8> = []
        var complaint: [UInt8] = []
        var reader: CheckedContinuation<Void, Never>?
        var waiting: [CheckedContinuation<ProgramEnd, Never>] = []
        var ending: Task<Void, Never>?
        var watch: Readiness?
    }

    package let id: Int32
    private let time: any TimeSource
    private let state = Mutex(State())
    private let output: PipeEnd
    private let input: PipeEnd
    /// Nil where its errors come with its output.
    private let complaints: PipeEnd?

    /// - Parameters:
    ///   - process: A descriptor that can be read once the program has ended.
    ///   - pipes: Our ends of its input, output and errors, non-blocking; no errors where they come with the output.
    init(
        _ id: Int32,
        process: Int32,
        pipes: (input: Int32, output: Int32, errors: Int32?),
        time: any TimeSource,
        queue: DispatchQueue
    ) {
        self.id = id
        self.time = time
        let link = WeakLink<ChildProcess>()
        output = PipeEnd(reading: pipes.output, queue: queue) { link.object?.wakeReader() }
        complaints = pipes.errors.map { PipeEnd(reading: $0, queue: queue) { link.object?.takeComplaints() } }
        input = PipeEnd(writing: pipes.input, queue: queue) { link.object?.writeOn() }
        link.attach(self)
        complaints?.arm()
        // The object is kept by this source until the program has ended.
        let watch = Readiness(reading: process, queue: queue) { self.reap(process) }
        state.withLock { $0.watch = watch }
        watch.arm()
    }

    deinit {
        output.close()
        input.close()
        complaints?.close()
    }

    // MARK: Reading

    /// Its output, as it comes. Nil at the end of it.
    package func read(upTo limit: Int) async -> [UInt8]? {
        while true {
            let bytes = output.read(upTo: limit)
            switch bytes {
            case .bytes(let bytes): return bytes
            case .over: return nil
            case .nothing: await untilReadable()
            }
        }
    }

    private func untilReadable() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                // Output that is left after its end is read without waiting.
                guard state.exit == nil else { return false }
                state.reader = continuation
                return true
            }
            if waits { output.arm() } else { continuation.resume() }
        }
    }

    private func wakeReader() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// The end of what it complained about, at most ``complaintLimit`` bytes.
    package var lastWords: String {
        let bytes = state.withLock(\.complaint)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All of it is read, so that a program that complains much does not stand still; the end is kept.
    private func takeComplaints() {
        while case .bytes(let bytes) = complaints?.read(upTo: 16 << 10) {
            state.withLock { state in
                state.complaint += bytes.suffix(Self.complaintLimit)
                state.complaint = state.complaint.suffix(Self.complaintLimit)
            }
        }
        complaints?.arm()
    }

    // MARK: Writing

    /// Takes bytes for its input and returns at once.
    ///
    /// - Returns: False where the program is over, or leaves more than ``inputLimit`` bytes unread.
    package func write(_ bytes: [UInt8]) -> Bool {
        let (isTaken, isLeft) = state.withLock { state in
            guard state.exit == nil, state.isInputOpen, state.unwritten.count + bytes.count <= Self.inputLimit else {
                return (false, false)
            }
            let wasIdle = state.unwritten.isEmpty
            state.unwritten += bytes
            if wasIdle { writeNow(&state) }
            return (state.isInputOpen, !state.unwritten.isEmpty)
        }
        if isLeft { input.arm() }
        return isTaken
    }

    private func writeOn() {
        let isLeft = state.withLock { state in
            if state.isInputOpen { writeNow(&state) }
            return !state.unwritten.isEmpty
        }
        if isLeft { input.arm() }
    }

    private func writeNow(_ state: inout State) {
        while !state.unwritten.isEmpty {
            guard let wrote = input.write(state.unwritten) else {
                // The program has closed its input.
                state.isInputOpen = false
                break
            }
            guard wrote > 0 else { return }
            state.unwritten = state.unwritten.dropFirst(wrote)
        }
        state.unwritten = []
    }

    /// Ends its input: what was written before is still there to read where the program has taken it.
    package func closeInput() {
        state.withLock { state in
            state.isInputOpen = false
            state.unwritten = []
        }
        input.close()
    }

    // MARK: The end

    /// Returns once it has ended.
    package func ended() async -> ProgramEnd {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiting.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    /// Closes its input, asks its group to end and, after ``grace``, ends the group by force.
    package func end() {
        let asks = state.withLock { state in
            state.isInputOpen = false
            state.unwritten = []
            guard state.exit == nil, state.ending == nil else { return false }
            // The number belongs to the program until it has been reaped, which happens under the same lock.
            Glibc.kill(-id, SIGTERM)
            let deadline = time.now + Self.grace
            state.ending = Task { [weak self, time] in
                if await time.pause(until: deadline) { self?.kill() }
            }
            return true
        }
        if asks { input.close() }
    }

    /// Ends it and its group at once.
    package func kill() {
        state.withLock { state in
            state.isInputOpen = false
            if state.exit == nil { Glibc.kill(-id, SIGKILL) }
        }
    }

    private func reap(_ descriptor: Int32) {
        var code: Int32 = -1
        var signal: Int32 = -1
        // The rest of the pipe is still read; then it is over even if a program that left the group holds its other end.
        output.endAfterRest()
        let (exit, waiting, watch, ending, reader) = state.withLock { state in
            // Children that it left behind end with it; its group cannot be another's as long as it is not reaped.
            Glibc.kill(-id, SIGKILL)
            let result = tandem_process_reap(id, &code, &signal)
            let exit: ProgramEnd = result == 0 && signal >= 0 ? .killed(signal: signal) : .exited(code: max(code, 0))
            state.exit = exit
            state.isInputOpen = false
            state.unwritten = []
            defer {
                state.waiting = []
                state.watch = nil
                state.ending = nil
                state.reader = nil
            }
            return (exit, state.waiting, state.watch, state.ending, state.reader)
        }
        ending?.cancel()
        input.close()
        takeLastComplaints()
        watch?.cancel { Glibc.close(descriptor) }
        reader?.resume()
        for continuation in waiting { continuation.resume(returning: exit) }
    }

    private func takeLastComplaints() {
        takeComplaints()
        complaints?.close()
    }
}
