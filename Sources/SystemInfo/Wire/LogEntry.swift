/// One line of the system's log.
public struct LogEntry: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var timestamp: Int64
    public var level: LogLevel
    public var source: String
    public var message: String

    public init(timestamp: Int64, level: LogLevel, source: String, message: String) {
        self.timestamp = timestamp
        self.level = level
        self.source = source
        self.message = message
    }
}
