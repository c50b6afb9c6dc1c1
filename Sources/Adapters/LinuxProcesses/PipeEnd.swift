import CLinux
import Dispatch
import Glibc
import LinuxTerminal
import Synchronization

/// Our end of a pipe to a program: never blocks, and is closed once.
final class PipeEnd: Sendable {
    enum Reading {
        case bytes([UInt8])
        case nothing
        case over
    }

    private struct State {
        var isOpen = true
        var isOver = false
        /// The other end is over for us: what is there is the rest.
        var endsEmpty = false
    }

    private let descriptor: Int32
    private let readiness: Readiness
    private let state = Mutex(State())

    init(reading descriptor: Int32, queue: DispatchQueue, whenReady: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        readiness = Readiness(reading: descriptor, queue: queue, whenReady: whenReady)
    }

    init(writing descriptor: Int32, queue: DispatchQueue, whenReady: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        readiness = Readiness(writing: descriptor, queue: queue, whenReady: whenReady)
    }

    /// Calls `whenReady` once there is something to read, or room to write.
    func arm() {
        if state.withLock({ $0.isOpen && !$0.isOver }) { readiness.arm() }
    }

    func read(upTo limit: Int) -> Reading {
        state.withLock { state in
            guard state.isOpen, !state.isOver else { return .over }
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                var got = 0
                repeat { got = Glibc.read(descriptor, buffer.baseAddress, limit) } while got < 0 && errno == EINTR
                failure = got < 0 ? errno : 0
                count = max(0, got)
            }
            if !bytes.isEmpty { return .bytes(bytes) }
            if failure == EAGAIN, !state.endsEmpty { return .nothing }
            state.isOver = true
            return .over
        }
    }

    /// Makes an empty pipe count as at its end from now on.
    func endAfterRest() { state.withLock { $0.endsEmpty = true } }

    /// - Returns: How many bytes went; 0 while the pipe is full; nil where nothing reads them any more.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        state.withLock { state in
            guard state.isOpen else { return nil }
            let wrote = bytes.withUnsafeBytes { tandem_pipe_write(descriptor, $0.baseAddress, $0.count) }
            if wrote >= 0 { return wrote }
            return wrote == -Int(EAGAIN) ? 0 : nil
        }
    }

    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        // Closed when the source does not watch it any more: until then no other file may get its number.
        if wasOpen { readiness.cancel { [descriptor] in Glibc.close(descriptor) } }
    }
}
