import CLinux
import Foundation
import Kernel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The next start of a role's program by the program itself. Once it is asked for, the role ends as at SIGTERM, and then the process goes on as a new
/// start with the same arguments and environment: its id, its terminal and its service manager stay what they were.
final class ProgramRestart: Sendable {
    /// What was decided about the next start; each word replaces only an earlier one.
    private enum Wish: Int {
        case none
        case asked
        /// The process was told to end meanwhile, which is the stronger word.
        case withdrawn
    }

    /// Why the process did not go on as a new start. The role has ended by then.
    enum Failure: Error, Hashable, CustomStringConvertible {
        case notPossible(reason: String)

        var description: String {
            switch self {
            case .notPossible(let reason):
                "This program could not start itself again: \(reason). Start it again in the same way."
            }
        }
    }

    private static let link = "/proc/self/exe"

    private let path: String
    private let arguments: [String]
    private let wish = LatestValue(Wish.none)

    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: With the program's name.
    init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// Nil in a process that was started for something else than this command, such as a test, and where the system does not say which file
    /// the program is.
    static func ofThisProgram() -> ProgramRestart? {
        let words = CommandLine.arguments
        guard Running.console.ownsProcess, !words.isEmpty,
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        else { return nil }
        tandem_note_start()
        // The name is better than the link, by which the system would call the process "exe". A file that was replaced has no name: what runs is
        // started again then, and not another version.
        let path = FileManager.default.isExecutableFile(atPath: file) ? file : link
        return ProgramRestart(path: path, arguments: words)
    }

    /// The role is to end and to begin again.
    func ask() { set(.asked) }

    /// The process is to end.
    func withdraw() { set(.withdrawn) }

    private func set(_ next: Wish) {
        wish.update { wish in if next.rawValue > wish.rawValue { wish = next } }
    }

    var isWanted: Bool { wish.value == .asked }

    /// Returns once it is asked for, or when the task is cancelled.
    func untilAsked() async { for await wish in wish.values() where wish == .asked { return } }

    /// Goes on as a new start, where that is wanted; it does not return then. Called once the role has ended.
    ///
    /// - Throws: ``Failure``.
    func perform() throws(Failure) {
        guard isWanted else { return }
        Self.keepOutput()
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        let result = tandem_start_again(path, words)
        throw .notPossible(reason: String(cString: strerror(-result)).lowercased())
    }

    /// Whoever read the first line of the role may have gone since. The new start says its own to nobody then, instead of ending by it.
    private static func keepOutput() {
        var state = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&state, 1, 0) == 1, state.revents & Int16(POLLERR) != 0 else { return }
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        // The copy stays open in the new start.
        dup2(nowhere, STDOUT_FILENO)
        close(nowhere)
    }
}
