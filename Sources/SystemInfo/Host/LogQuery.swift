/// Which entries of the system's log are asked for.
package struct LogQuery: Hashable, Sendable {
    /// The newest so many.
    package var limit: Int
    /// This and worse.
    package var level: LogLevel?
    /// A program, or with its ending a service such as `ssh.service`.
    package var source: String?

    package init(limit: Int, level: LogLevel? = nil, source: String? = nil) {
        self.limit = limit
        self.level = level
        self.source = source
    }
}
