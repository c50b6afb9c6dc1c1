import Foundation
import Kernel

/// The environment, the streams and the terminal of a command. Tests give it another one.
protocol Console: Sendable {
    var environment: [String: String] { get }

    func isTerminal(_ stream: ConsoleStream) -> Bool

    /// Whether the terminal is this program's to read from now: not while it runs in the background.
    var isInForeground: Bool { get }

    /// Columns and rows of the window behind standard output; nil where there is none, as in a file or a pipe.
    func window() -> (columns: Int, rows: Int)?

    /// Writes all of it.
    ///
    /// - Throws: ``ConsoleError``.
    func write(_ data: Data, to stream: ConsoleStream) throws(ConsoleError)

    /// The next bytes of standard input, as they come; empty at its end, or when the task is cancelled.
    func read() async -> [UInt8]

    /// Waits until it is time for the next look.
    ///
    /// - Throws: `CancellationError`.
    func pause(for duration: Duration) async throws

    /// Whether the process was started for this command alone, which may then end and replace it.
    var ownsProcess: Bool { get }

    /// From now on every key arrives as it is typed. Nil when standard input is no terminal.
    func makeRaw() -> RawTerminal?
}

extension Console {
    var ownsProcess: Bool { false }

    /// Whether a person sits here and reads what is asked.
    var canAsk: Bool { isTerminal(.input) && isTerminal(.error) }
}

enum ConsoleStream: Hashable, Sendable {
    case input
    case output
    case error
}

/// Why a result could not be written. The description is shown to the person.
enum ConsoleError: Error, Hashable, CustomStringConvertible {
    /// The reader has gone, as with `| head`: nothing is left to be said to it.
    case readerGone
    case cannotWrite(reason: String)

    var description: String {
        switch self {
        case .readerGone: "The program that reads the result has ended."
        case .cannotWrite(let reason): "The result could not be written: \(reason)."
        }
    }
}

/// The console of the command that runs in this task.
enum Running {
    @TaskLocal static var console: any Console = ProcessConsole()
}
