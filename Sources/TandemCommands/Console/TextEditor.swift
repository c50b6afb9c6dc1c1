import Foundation
import Kernel

/// The person's own editor, which gets the terminal while it runs.
struct TextEditor: Sendable {
    private static let usual = ["nano", "vi"]

    /// A command line of the shell's, as `$EDITOR` may be one: `code --wait`.
    private let command: String
    private let environment: [String: String]

    /// - Throws: ``TextEditorError/none``.
    init(_ environment: [String: String]) throws(TextEditorError) {
        let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let found = Self.usual.first { name in
            folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
        guard let command = named ?? found else { throw .none }
        self.command = command
        self.environment = environment
    }

    /// Returns when the editor has ended.
    ///
    /// - Throws: ``TextEditorError``.
    func edit(_ file: URL) async throws {
        let work = BlockingWork("tandem.editor", width: 1)
        let status = try await work.run { try run(file.path) }
        guard status == 0 else { throw TextEditorError.ended(status: status) }
    }

    /// In this program's own process group: another one may not read from the terminal.
    private func run(_ path: String) throws(TextEditorError) -> Int32 {
        // What is typed at the terminal to stop something is the editor's while it runs.
        let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in former { signal(number, handler) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let arguments = Self.texts(["/bin/sh", "-c", "\(command) \"$1\"", "sh", path])
        let variables = Self.texts(environment.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + variables { free(text) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, variables)
        guard result == 0 else { throw .notStarted(reason: String(cString: strerror(result))) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw .notStarted(reason: String(cString: strerror(errno))) }
        }
        // As a shell has it: the status, or 128 and the signal.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}

extension TextEditor {
    /// As the system takes them, with a nil behind them; to be freed.
    private static func texts(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        copies.append(nil)
        return copies
    }
}

/// Why an editor did not edit. The description is shown to the person.
enum TextEditorError: Error, Hashable, CustomStringConvertible {
    case none
    case notStarted(reason: String)
    case ended(status: Int32)

    var description: String {
        switch self {
        case .none: "There is no editor: neither VISUAL nor EDITOR is set. Set one, for example: export EDITOR=nano"
        case .notStarted(let reason): "The editor could not be started: \(reason). Look at VISUAL and EDITOR."
        case .ended(127): "The editor that VISUAL or EDITOR names was not found, and nothing was saved."
        case .ended(let status): "The editor ended with the status \(status), and nothing was saved."
        }
    }
}
