import Foundation
import Synchronization

/// The console that this process was started on.
struct ProcessConsole: Console {
    private static let pieceBytes = 32 * 1024

    /// Standard input is read by one thread, which may wait for a key that is never typed.
    private static let reader = DispatchQueue(label: "stdin")

    var environment: [String: String] { ProcessInfo.processInfo.environment }

    var ownsProcess: Bool { true }

    var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    func isTerminal(_ stream: ConsoleStream) -> Bool { isatty(Self.descriptor(stream)) == 1 }

    func window() -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func write(_ data: Data, to stream: ConsoleStream) throws(ConsoleError) {
        let descriptor = Self.descriptor(stream)
        let failure = data.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Foundation.write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                if written >= 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
        guard let failure else { return }
        throw failure == EPIPE ? .readerGone : .cannotWrite(reason: String(cString: strerror(failure)).lowercased())
    }

    /// A reader that is cancelled goes at once, though the system's read still waits.
    func read() async -> [UInt8] {
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard waiter.wait(continuation) else { return }
                Self.reader.async { waiter.resume(Self.piece()) }
            }
        } onCancel: {
            waiter.resume([])
        }
    }

    func pause(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    func makeRaw() -> RawTerminal? { RawTerminal() }

    /// Empty at the end.
    private static func piece() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: pieceBytes) { memory, count in
            var got = Foundation.read(STDIN_FILENO, memory.baseAddress, memory.count)
            while got < 0, errno == EINTR { got = Foundation.read(STDIN_FILENO, memory.baseAddress, memory.count) }
            count = Swift.max(0, got)
        }
    }

    private static func descriptor(_ stream: ConsoleStream) -> Int32 {
        switch stream {
        case .input: STDIN_FILENO
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }
}

/// Resumed once, by whichever comes first.
private final class Waiter: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<[UInt8], Never>)
        case done
    }

    private let state = Mutex(State.idle)

    /// False when it was resumed already; then the continuation has its answer.
    func wait(_ continuation: CheckedContinuation<[UInt8], Never>) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .idle = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(returning: []) }
        return isWaiting
    }

    func resume(_ bytes: [UInt8]) {
        let before = state.withLock { state in
            defer { state = .done }
            return state
        }
        if case .waiting(let continuation) = before { continuation.resume(returning: bytes) }
    }
}
