import Foundation
import Synchronization

/// What arrives on stdin, piece by piece, as it is asked for. A reader that is cancelled goes at once, though the system's read still waits.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private static let pieceBytes = 32 * 1024

    struct Iterator: AsyncIteratorProtocol {
        private let queue = DispatchQueue(label: "stdin")

        mutating func next() async -> [UInt8]? {
            let waiter = Waiter()
            let bytes = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    guard waiter.wait(continuation) else { return }
                    queue.async { waiter.resume(Self.read()) }
                }
            } onCancel: {
                waiter.resume([])
            }
            return bytes.isEmpty ? nil : bytes
        }

        /// Empty at the end.
        private static func read() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: pieceBytes) { memory, count in
                var got = Foundation.read(STDIN_FILENO, memory.baseAddress, memory.count)
                while got < 0, errno == EINTR { got = Foundation.read(STDIN_FILENO, memory.baseAddress, memory.count) }
                count = Swift.max(0, got)
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
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
