import Foundation

/// The home folder of the person this program runs as.
public enum HomeFolder {
    /// `HOME` where it is set, as every shell does; else the one in the system's list of users.
    ///
    /// - Returns: Nil for a `HOME` that is empty or relative: files would land wherever the program was started.
    public static func path(environment: [String: String]) -> String? {
        guard let home = environment["HOME"] else { return FileManager.default.homeDirectoryForCurrentUser.path }
        return home.hasPrefix("/") ? home : nil
    }

    /// `~` and `~/…` become paths in the home folder; everything else stays, also `~name`.
    public static func expanding(_ path: String, environment: [String: String]) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = Self.path(environment: environment) else { return path }
        return home + path.dropFirst()
    }
}
