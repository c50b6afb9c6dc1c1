import Foundation
import Synchronization

@testable import TandemCommands

/// A console that keeps what is written, and from which a test's input comes.
final class TestConsole: Console {
    let environment: [String: String]
    private let terminals: Set<ConsoleStream>
    private let size: (columns: Int, rows: Int)?
    private let state: Mutex<State>
    /// After so many bytes the reader of the output has gone.
    private let outputLimit: Int

    private struct State {
        var input: [[UInt8]]
        var output = Data()
        var error = Data()
    }

    /// - Parameters:
    ///   - terminals: Which streams are terminals; none: pipes.
    ///   - input: Pieces of standard input; then it ends.
    init(
        environment: [String: String] = [:],
        terminals: Set<ConsoleStream> = [],
        size: (columns: Int, rows: Int)? = nil,
        input: [String] = [],
        outputLimit: Int = .max
    ) {
        self.environment = ["HOME": "/home/ada", "XDG_STATE_HOME": "/nonexistent"].merging(environment) { $1 }
        self.terminals = terminals
        self.size = size
        self.outputLimit = outputLimit
        state = Mutex(State(input: input.map { Array($0.utf8) }))
    }

    var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var error: String { state.withLock { String(decoding: $0.error, as: UTF8.self) } }
    var isInForeground: Bool { true }

    func isTerminal(_ stream: ConsoleStream) -> Bool { terminals.contains(stream) }

    func window() -> (columns: Int, rows: Int)? { size }

    func write(_ data: Data, to stream: ConsoleStream) throws(ConsoleError) {
        let isTaken = state.withLock { state in
            if stream == .error {
                state.error += data
            } else {
                state.output += data
            }
            return state.output.count <= outputLimit
        }
        guard isTaken else { throw .readerGone }
    }

    func read() async -> [UInt8] { state.withLock { $0.input.isEmpty ? [] : $0.input.removeFirst() } }

    /// Time passes at once; who waits without end is ended by the output's limit.
    func pause(for duration: Duration) async throws { try Task.checkCancellation() }

    func makeRaw() -> RawTerminal? { isTerminal(.input) ? RawTerminal(restoring: {}) : nil }

    /// Runs a command line on this console.
    func run(_ words: String...) async -> Int32 { await TandemProgram.run(words, on: self) }

    func run(_ words: [String]) async -> Int32 { await TandemProgram.run(words, on: self) }
}
