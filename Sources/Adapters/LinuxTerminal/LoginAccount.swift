import Glibc

/// The person this program runs as, from the system's list of users. `HOME` wins over the list, as in every shell.
package struct LoginAccount: Hashable, Sendable {
    package var name: String
    package var home: String
    package var shell: String

    /// Where the user is in no list, as in some containers, the environment and `/bin/sh` stand in.
    package static func current(environment: [String: String]) -> LoginAccount {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0,
                found != nil
            else {
                return LoginAccount(
                    name: environment["USER"] ?? "\(getuid())",
                    home: environment["HOME"] ?? "/",
                    shell: "/bin/sh"
                )
            }
            let shell = text(entry.pw_shell)
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return LoginAccount(
                name: text(entry.pw_name),
                home: home ?? text(entry.pw_dir),
                shell: shell.isEmpty ? "/bin/sh" : shell
            )
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}
