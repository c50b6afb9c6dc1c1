import Synchronization
package import Terminal
import TerminalHost

/// A shell that a test plays: it writes what the test says, and remembers what was typed.
package final class FakeTerminal: PseudoTerminal {
    private struct State {
        var output: [[UInt8]] = []
        var isOver = false
        var exit: TerminalExit?
        var reader: CheckedContinuation<Void, Never>?
        var exitWaiters: [CheckedContinuation<TerminalExit, Never>] = []
        var typed: [UInt8] = []
        var isFull = false
        var sizes: [TerminalSize] = []
        var isHungUp = false
        var ignoresHangUp = false
        var taken = 0
    }

    package let processID: Int32 = 4321
    package let shell = "/bin/bash"
    package let folder = "/home/ada"
    private let state = Mutex(State())

    package init() {}

    package var typed: String { state.withLock { String(decoding: $0.typed, as: UTF8.self) } }
    package var sizes: [TerminalSize] { state.withLock(\.sizes) }
    package var isHungUp: Bool { state.withLock(\.isHungUp) }
    /// Bytes that somebody read.
    package var taken: Int { state.withLock(\.taken) }

    package func read(upTo limit: Int) async -> [UInt8]? {
        while true {
            let (bytes, isOver): ([UInt8]?, Bool) = state.withLock { state in
                guard let first = state.output.first else { return (nil, state.isOver) }
                let bytes = Array(first.prefix(limit))
                state.output[0].removeFirst(bytes.count)
                if state.output[0].isEmpty { state.output.removeFirst() }
                state.taken += bytes.count
                return (bytes, false)
            }
            if let bytes { return bytes }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.output.isEmpty || state.isOver { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    package func write(_ bytes: [UInt8]) throws(TerminalError) {
        let isFull = state.withLock { state in
            if !state.isFull { state.typed += bytes }
            return state.isFull
        }
        if isFull { throw .inputFull }
    }

    package func resize(to size: TerminalSize) { state.withLock { $0.sizes.append(size) } }

    package func exit() async -> TerminalExit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.exitWaiters.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    package func hangUp() {
        let ends = state.withLock { state in
            state.isHungUp = true
            return !state.ignoresHangUp
        }
        if ends { end(.killed(signal: 1)) } else { endOutput() }
    }

    package func kill() { end(.killed(signal: 9)) }

    // MARK: What the test plays

    package func say(_ text: String) { say(Array(text.utf8)) }

    package func say(_ bytes: [UInt8]) {
        wakeReader { $0.output.append(bytes) }
    }

    package func endOutput() { wakeReader { $0.isOver = true } }

    package func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    package func ignoreHangUp() { state.withLock { $0.ignoresHangUp = true } }

    /// The shell ends, and so does its output.
    package func end(_ exit: TerminalExit) {
        endShell(exit)
        endOutput()
    }

    /// The shell ends; another program has the terminal open still.
    package func endShell(_ exit: TerminalExit) {
        let waiters = state.withLock { state in
            if state.exit == nil { state.exit = exit }
            defer { state.exitWaiters = [] }
            return state.exitWaiters
        }
        for waiter in waiters { waiter.resume(returning: exit) }
    }

    private func wakeReader(_ change: (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}
