import Foundation
import Glibc

/// The programs that may be a terminal's shell: those that `/etc/shells` lists, the login shell, and the documented names.
struct ShellCatalogue: Sendable {
    /// Source: `docs/protocol.md`, "Terminal". Those this system has are looked for in `folders`.
    private static let documented: Set<String> = [
        "bash", "sh", "zsh", "fish", "dash", "ksh", "pwsh", "cmd", "wsl",
    ]
    private static let folders = ["/bin", "/usr/bin", "/usr/local/bin"]

    var listed: [String]
    var login: String

    init(listed: [String], login: String) {
        self.listed = listed
        self.login = login
    }

    /// Reads the system's list now.
    init(login: String, path: String = "/etc/shells") {
        // Without the list there are the login shell and the documented ones.
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        self.init(listed: lines.filter { $0.hasPrefix("/") }, login: login)
    }

    /// The path of a shell that is named or given by its path; nil when it is not allowed or not here.
    func path(of shell: String?) -> String? {
        guard let shell else { return login }
        let allowed = [login] + listed
        guard shell.hasPrefix("/") else {
            guard !shell.contains("/") else { return nil }
            let found = allowed.first { Self.name(of: $0) == shell && Self.isProgram($0) }
            return found ?? documentedPath(of: shell)
        }
        guard allowed.contains(shell) || documentedPath(of: Self.name(of: shell)) == shell else { return nil }
        return Self.isProgram(shell) ? shell : nil
    }

    /// The names of those that are here, the login shell first, each once.
    var names: [String] {
        let listed = ([login] + listed).filter(Self.isProgram).map(Self.name)
        let documented = Self.documented.sorted().filter { documentedPath(of: $0) != nil }
        return (listed + documented).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private func documentedPath(of name: String) -> String? {
        guard Self.documented.contains(name) else { return nil }
        return Self.folders.map { "\($0)/\(name)" }.first(where: Self.isProgram)
    }

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
