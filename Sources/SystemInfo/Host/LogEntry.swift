/// One line of the system's log.
package struct LogEntry: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var timestamp: Int64
    package var level: LogLevel
    package var source: String
    package var message: String

    package init(timestamp: Int64, level: LogLevel, source: String, message: String) {
        self.timestamp = timestamp
        self.level = level
        self.source = source
        self.message = message
    }
}
