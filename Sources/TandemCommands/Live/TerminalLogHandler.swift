import Kernel
import Logging

/// Logs to stderr, one row a message: names and reasons that came from elsewhere cannot act on the terminal or forge rows.
struct TerminalLogHandler: LogHandler {
    private var inner: StreamLogHandler

    init(label: String) { inner = StreamLogHandler.standardError(label: label) }

    init(label: String, stream: any TextOutputStream & Sendable) {
        inner = StreamLogHandler(label: label, stream: stream)
    }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue.mapValues(Self.safe) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue.map(Self.safe) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(TerminalText.line(event.message.description))"
        event.metadata = event.metadata?.mapValues(Self.safe)
        inner.log(event: event)
    }

    private static func safe(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(TerminalText.line(text))
        case .stringConvertible(let value): .string(TerminalText.line("\(value)"))
        case .array(let values): .array(values.map(safe))
        case .dictionary(let members): .dictionary(members.mapValues(safe))
        }
    }
}
