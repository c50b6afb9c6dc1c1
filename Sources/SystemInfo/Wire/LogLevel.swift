/// How bad an entry of the system's log is, worst first. Raw values are the wire's.
public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case emergency, alert, critical, error, warning, notice, info, debug

    /// Syslog's number, 0 to 7.
    public var priority: Int { Self.allCases.firstIndex(of: self) ?? 7 }

    public init?(priority: Int) {
        guard Self.allCases.indices.contains(priority) else { return nil }
        self = Self.allCases[priority]
    }

    /// Also by the short names that people and existing programs use.
    init?(name: String) {
        let short: [String: LogLevel] = [
            "emerg": .emergency, "crit": .critical, "err": .error, "warn": .warning, "fatal": .critical,
        ]
        guard let level = LogLevel(rawValue: name) ?? short[name] else { return nil }
        self = level
    }
}
