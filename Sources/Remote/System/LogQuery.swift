/// Which entries of the system's log are asked for.
public struct LogQuery: Hashable, Sendable {
    /// The newest so many.
    public var limit: Int
    /// This and worse.
    public var level: LogLevel?
    /// A program, or with its ending a service such as `ssh.service`.
    public var source: String?

    public init(limit: Int, level: LogLevel? = nil, source: String? = nil) {
        self.limit = limit
        self.level = level
        self.source = source
    }
}
