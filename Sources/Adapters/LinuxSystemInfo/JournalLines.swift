import Kernel
import SystemInfo

/// Reads `journalctl --output=json`: an object a line.
enum JournalLines {
    /// The most that is kept of one message: a program that logs a whole file fills no answer.
    private static let messageLimit = 4096

    static func entries(_ bytes: [UInt8]) -> [LogEntry] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // A line that is not JSON was cut, or is none of journalctl's: the others are still worth reading.
            guard let entry = try? JSONValue(parsing: line) else { return nil }
            let priority = entry["PRIORITY"]?.stringValue.flatMap { Int($0) } ?? LogLevel.info.priority
            let microseconds = entry["__REALTIME_TIMESTAMP"]?.stringValue.flatMap { Int64($0) } ?? 0
            let source = ["SYSLOG_IDENTIFIER", "_COMM", "_SYSTEMD_UNIT"].lazy.compactMap { entry[$0]?.stringValue }
                .first
            return LogEntry(
                timestamp: microseconds / 1000,
                level: LogLevel(priority: priority) ?? .info,
                source: source ?? "",
                message: message(entry["MESSAGE"])
            )
        }
    }

    /// A text, or the bytes of one that is not UTF-8; null when it is longer than journalctl prints.
    private static func message(_ value: JSONValue?) -> String {
        var text = value?.stringValue ?? ""
        if let bytes = value?.arrayValue?.compactMap({ $0.integerValue.flatMap { UInt8(exactly: $0) } }) {
            text = String(decoding: bytes.prefix(messageLimit), as: UTF8.self)
        }
        guard text.utf8.count > messageLimit else { return text }
        return String(decoding: text.utf8.prefix(messageLimit), as: UTF8.self) + "…"
    }
}
