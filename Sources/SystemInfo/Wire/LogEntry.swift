/// One line of the system's log.
public struct LogEntry: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var timestamp: Int64
    /// How bad it is. `info` where a program does not say.
    public var level: LogLevel
    /// The program or service that wrote it. Empty where the log does not say.
    public var source: String
    /// The entry's text, as it was logged: it may hold private data.
    public var message: String

    public init(timestamp: Int64, level: LogLevel, source: String, message: String) {
        self.timestamp = timestamp
        self.level = level
        self.source = source
        self.message = message
    }
}
