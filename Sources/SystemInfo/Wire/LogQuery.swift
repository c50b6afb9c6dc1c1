public import Commands
public import Kernel

/// The limits of lists of services and of log entries.
public enum SystemListLimits {
    /// How many entries may be asked for; a number outside is refused with -32602.
    public static let range: ClosedRange<Int> = 1...500
    /// Where a phone does not say.
    public static let standard = 50

    static func read(_ wire: RemoteParameters) throws(RemoteFailure) -> Int {
        let range = Int64(Self.range.lowerBound)...Int64(Self.range.upperBound)
        return Int(try wire.optionalInteger("limit", in: range) ?? Int64(standard))
    }
}

/// How many services are asked for.
public struct ServiceQuery: MethodParameters, Hashable {
    /// Within ``SystemListLimits/range``.
    public var limit: Int

    public init(limit: Int = SystemListLimits.standard) { self.limit = limit }

    public init(wire: RemoteParameters) throws { limit = try SystemListLimits.read(wire) }

    public var wire: JSONValue { ["limit": .integer(Int64(limit))] }
}

/// A query of entries of the system's log.
public struct LogQuery: MethodParameters, Hashable {
    /// The newest so many, within ``SystemListLimits/range``.
    public var limit: Int
    /// The least severe level that is wanted. Nil: all.
    public var level: LogLevel?
    /// A program, or with its ending a service such as `ssh.service`. Nil: all.
    public var source: String?

    public init(limit: Int = SystemListLimits.standard, level: LogLevel? = nil, source: String? = nil) {
        self.limit = limit
        self.level = level
        self.source = source
    }

    public init(wire: RemoteParameters) throws {
        limit = try SystemListLimits.read(wire)
        level = try Self.level(wire)
        source = try Self.source(wire)
    }

    private static func level(_ wire: RemoteParameters) throws(RemoteFailure) -> LogLevel? {
        guard let name = try wire.optionalText("level", limit: 32), !name.isEmpty, name != "all" else { return nil }
        guard let level = LogLevel(name: name.lowercased()) else {
            let names = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter("level", "one of \(names)")
        }
        return level
    }

    /// Becomes an argument of a program, so it is what names of programs and services are, and never an option.
    private static func source(_ wire: RemoteParameters) throws(RemoteFailure) -> String? {
        guard let source = try wire.optionalText("source", limit: 128), !source.isEmpty, source != "system" else {
            return nil
        }
        guard source.hasOnlyLettersAndDigits(or: "@._:-"), !source.hasPrefix("-") else {
            throw .badParameter("source", "the name of a program or service, such as sshd or ssh.service")
        }
        return source
    }

    public var wire: JSONValue {
        .known([
            "limit": .integer(Int64(limit)), "level": level.map { .string($0.rawValue) },
            "source": source.map(JSONValue.string),
        ])
    }
}
