import Foundation
import Kernel
import Logging

/// Logs to stderr, one row a message: the sentence first, then its values. Names and reasons that came from elsewhere cannot act on the terminal
/// or forge rows.
struct TerminalLogHandler: LogHandler {
    private let label: String
    private let stream: any TextOutputStream & Sendable

    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    init(label: String) { self.init(label: label, stream: StandardError()) }

    init(label: String, stream: any TextOutputStream & Sendable) {
        self.label = label
        self.stream = stream
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var values = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { values["error"] = "\(error)" }
        // The module that says it is for who looks into the program.
        if logLevel <= .debug { values["module"] = "\(event.source)" }
        let shown = values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.safe($0.value))" }
        let row = ["\(event.message)".safeRow] + (shown.isEmpty ? [] : ["(\(shown.joined(separator: " ")))"])
        var stream = stream
        stream.write("\(Self.time()) \(event.level) \(label): \(row.joined(separator: " "))\n")
    }

    private static func safe(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(text.safeRow)
        case .stringConvertible(let value): .string("\(value)".safeRow)
        case .array(let values): .array(values.map(safe))
        case .dictionary(let members): .dictionary(members.mapValues(safe))
        }
    }

    /// The time now, in this machine's zone.
    private static func time() -> String {
        var now = Foundation.time(nil)
        var parts = tm()
        var text = [CChar](repeating: 0, count: 32)
        guard localtime_r(&now, &parts) != nil else { return "?" }
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        return String(decoding: text.prefix(length).map(UInt8.init), as: UTF8.self)
    }
}

/// Standard error, to which each row goes at once, whole, and unsaid where nothing takes it.
private struct StandardError: TextOutputStream, Sendable {
    mutating func write(_ row: String) { try? ProcessConsole().write(Data(row.utf8), to: .error) }
}

extension String {
    /// One row that acts on no terminal.
    fileprivate var safeRow: String { TerminalText.line(self) }
}
