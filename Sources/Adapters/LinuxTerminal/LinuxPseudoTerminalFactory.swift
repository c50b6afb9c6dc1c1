import CLinux
import Dispatch
import Foundation
import Glibc
package import Terminal
package import TerminalHost

/// Starts shells on Linux's pseudo terminals, each as the leader of a session of its own.
package struct LinuxPseudoTerminalFactory: PseudoTerminalFactory {
    private static let pathLimit = 4096

    private let inherited: [String: String]
    private let mask: UInt32?

    /// - Parameters:
    ///   - environment: In place of this program's own, which a shell inherits where it is not about this program.
    ///   - mask: The shells' umask, where this program's own is stricter than its person's.
    package init(environment: [String: String]? = nil, mask: UInt32? = nil) {
        inherited = environment ?? ProcessInfo.processInfo.environment
        self.mask = mask
    }

    package func start(_ request: TerminalRequest) async throws -> any PseudoTerminal {
        let queue = DispatchQueue(label: "tandem.terminal")
        // The folder may be on a slow disk, and starting a program stops the thread for a moment.
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try startNow(request, queue) }) }
        }
    }

    package func shells() async -> [String]? {
        // The list of shells is a file, which may be on a slow disk.
        await withCheckedContinuation { continuation in
            Self.looking.async {
                let login = LoginAccount.current(environment: inherited).shell
                continuation.resume(returning: ShellCatalogue(login: login).names)
            }
        }
    }

    private static let looking = DispatchQueue(label: "tandem.terminal.shells")

    private func startNow(_ request: TerminalRequest, _ queue: DispatchQueue) throws(TerminalError)
        -> LinuxPseudoTerminal
    {
        let account = LoginAccount.current(environment: inherited)
        guard let shell = ShellCatalogue(login: account.shell).path(of: request.shell) else { throw .shellNotAllowed }
        let folder = try folder(request.folder, home: account.home)
        let environment = LoginEnvironment.make(
            inherited: inherited,
            account: account,
            shell: shell,
            added: request.environment
        )
        var path = [CChar](repeating: 0, count: 128)
        let master = tandem_terminal_open(request.size.columns, request.size.rows, &path, path.count)
        guard master >= 0 else { throw .notStarted(code: -master) }
        do {
            // A dash before the name makes it a login shell.
            let id = try spawn(
                shell,
                on: path,
                arguments: ["-\(ShellCatalogue.name(of: shell))"] + request.arguments,
                environment: environment.map { "\($0.key)=\($0.value)" },
                folder: folder
            )
            let process = try ShellProcess(id, queue: queue)
            return LinuxPseudoTerminal(master: master, process: process, shell: shell, folder: folder, queue: queue)
        } catch {
            close(master)
            throw error
        }
    }

    private func spawn(
        _ program: String,
        on terminal: [CChar],
        arguments: [String],
        environment: [String],
        folder: String
    ) throws(TerminalError) -> pid_t {
        var id: pid_t = 0
        let code = ChildStart.withPointers(arguments) { arguments in
            ChildStart.withPointers(environment) { environment in
                let mask = mask.map(Int32.init) ?? -1
                return tandem_terminal_spawn(terminal, program, &arguments, &environment, folder, mask, &id)
            }
        }
        guard code == 0 else { throw .notStarted(code: code) }
        return id
    }

    /// Absolute; `~` stands for the home. Checked here, because starting does not say whether shell or folder is missing.
    private func folder(_ given: String?, home: String) throws(TerminalError) -> String {
        let text = given ?? home
        let path = text == "~" ? home : text.hasPrefix("~/") ? home + text.dropFirst() : text
        guard path.hasPrefix("/"), path.utf8.count < Self.pathLimit, ChildStart.isFolder(path) else {
            // A person whose home is missing still gets a terminal.
            guard given != nil else { return "/" }
            throw .folderMissing(text)
        }
        return path
    }
}
