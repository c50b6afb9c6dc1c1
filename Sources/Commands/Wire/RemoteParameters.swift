public import Kernel

/// A request's parameters, read one by one; what does not fit is refused by name.
public struct RemoteParameters: Sendable {
    /// The parameters as they arrived: an object, or anything else that an asker sent in its place.
    public let value: JSONValue

    public init(_ value: JSONValue) { self.value = value }

    /// True when the asker gave it, and not as null.
    public func has(_ name: String) -> Bool { given(name) != nil }

    /// - Throws: ``RemoteFailure`` with -32602 unless it is a text of 1 to `limit` bytes.
    public func text(_ name: String, limit: Int = 4096) throws(RemoteFailure) -> String {
        guard let text = try optionalText(name, limit: limit), !text.isEmpty else {
            let from = limit < Self.kibibytes ? "1" : "1 byte"
            throw .badParameter(name, "a text of \(from) to \(Self.size(limit))")
        }
        return text
    }

    /// - Throws: ``RemoteFailure`` with -32602 unless it is absent, null, or a text of at most `limit` bytes.
    public func optionalText(_ name: String, limit: Int = 4096) throws(RemoteFailure) -> String? {
        guard let given = given(name) else { return nil }
        guard case .string(let text) = given, text.utf8.count <= limit else {
            throw .badParameter(name, "a text of at most \(Self.size(limit))")
        }
        return text
    }

    /// A bound as people read it.
    private static func size(_ bytes: Int) -> String {
        bytes < kibibytes || bytes % 1024 != 0 ? "\(bytes) bytes" : "\(bytes / 1024) KiB"
    }

    /// From here on people count in KiB.
    private static let kibibytes = 65_536

    /// - Throws: ``RemoteFailure`` with -32602 unless it is a whole number in `range`.
    public func integer(_ name: String, in range: ClosedRange<Int64>) throws(RemoteFailure) -> Int64 {
        guard let number = try optionalInteger(name, in: range) else {
            throw .badParameter(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// - Throws: ``RemoteFailure`` with -32602 unless it is absent, null, or a whole number in `range`.
    public func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(RemoteFailure) -> Int64? {
        guard let given = given(name) else { return nil }
        guard let number = given.integerValue, range.contains(number) else {
            throw .badParameter(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// - Throws: ``RemoteFailure`` with -32602 unless it is absent, null, or a boolean.
    public func flag(_ name: String, default: Bool = false) throws(RemoteFailure) -> Bool {
        guard let given = given(name) else { return `default` }
        guard let flag = given.boolValue else { throw .badParameter(name, "true or false") }
        return flag
    }

    private func given(_ name: String) -> JSONValue? {
        guard let member = value[name], member != .null else { return nil }
        return member
    }
}

extension RemoteFailure {
    /// -32602, naming the field. Source: `docs/protocol.md`, "Command envelopes".
    public static func badParameter(_ name: String, _ expected: String) -> RemoteFailure {
        RemoteFailure(code: FailureCode.badParameters, message: "The parameter \(name) must be \(expected).")
    }
}
