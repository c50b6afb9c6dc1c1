/// The variables a login of the person on this computer would have, and what a phone's terminal needs.
package enum LoginEnvironment {
    /// About the program that starts the shell, or the terminal it was itself started from.
    private static let dropped: Set<String> = [
        "COLUMNS", "LINES", "TERMCAP", "STY", "TMUX", "TMUX_PANE", "WINDOWID", "PWD", "OLDPWD", "SHLVL", "_",
        "NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_PID",
        "WATCHDOG_USEC", "SYSTEMD_EXEC_PID", "LD_PRELOAD", "LD_LIBRARY_PATH",
    ]

    package static func make(
        inherited: [String: String],
        account: LoginAccount,
        shell: String,
        added: [String: String]
    ) -> [String: String] {
        // Options of this program may be secrets, and no other program gets them.
        var environment = inherited.filter { !dropped.contains($0.key) && !$0.key.hasPrefix("TANDEM_") }
        environment["HOME"] = account.home
        environment["USER"] = account.name
        environment["LOGNAME"] = account.name
        environment["SHELL"] = shell
        environment["TERM"] = "xterm-256color"
        environment["COLORTERM"] = "truecolor"
        if environment["PATH"] == nil { environment["PATH"] = "/usr/local/bin:/usr/bin:/bin" }
        if ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy({ environment[$0, default: ""].isEmpty }) {
            environment["LANG"] = "C.UTF-8"
        }
        return environment.merging(added) { $1 }
    }
}
