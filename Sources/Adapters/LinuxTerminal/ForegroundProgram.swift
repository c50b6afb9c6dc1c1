import CLinux
import Foundation

/// A program that runs in the place of this one: with its input, output, errors and terminal. Signals that this process gets are passed on.
package enum ForegroundProgram {
    /// How it ended.
    package enum Ending: Hashable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)

        /// The exit status in a shell's form: 128 and the signal's number for a program that was killed.
        package var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let signal): 128 + signal
            }
        }
    }

    /// Why it did not run. The description is shown to the person.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case notFound(String)
        case cannotStart(String, reason: String)

        package var description: String {
            switch self {
            case .notFound(let name): "There is no program \(name). Check its name, or give its whole path."
            case .cannotStart(let name, let reason): "\(name) could not be started: \(reason)."
            }
        }

        /// The exit status that a shell gives.
        package var status: Int32 {
            switch self {
            case .notFound: 127
            case .cannotStart: 126
            }
        }
    }

    /// Runs a program to its end. Its task's cancellation does not end it: that is what signals are for.
    ///
    /// - Parameter words: Its name or path, and its arguments.
    /// - Throws: ``Failure``.
    package static func run(_ words: [String]) async throws(Failure) -> Ending {
        let name = words.first ?? ""
        guard !name.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else { throw .notFound(name) }
        var arguments = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        let program = tandem_foreground_start(arguments)
        guard program > 0 else {
            if program == -ENOENT { throw .notFound(name) }
            throw .cannotStart(name, reason: String(cString: strerror(-program)))
        }
        let (result, status) = await withCheckedContinuation { continuation in
            // A thread of its own waits, for as long as the program takes.
            Thread.detachNewThread {
                var status: Int32 = 0
                let result = tandem_foreground_wait(program, &status)
                continuation.resume(returning: (result, status))
            }
        }
        guard result == 0 else { throw .cannotStart(name, reason: String(cString: strerror(-result))) }
        return status & 0x7F == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
    }
}
