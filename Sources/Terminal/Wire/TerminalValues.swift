import Commands
import Kernel

/// Members that several messages of terminals hold.
extension JSONValue {
    /// Bytes of a terminal's id.
    static let terminalIDLimit = 128
    /// The highest number of a chunk or a piece: other programs count in floating point.
    static let terminalSeqLimit: Int64 = 1 << 53

    /// Nil for what cannot be a terminal's id.
    var terminalID: String? {
        guard let text = stringValue, (1...Self.terminalIDLimit).contains(text.utf8.count) else { return nil }
        return text
    }

    /// Nil for what cannot be the number of a chunk.
    var terminalSeq: Int64? {
        guard let number = integerValue, (1...Self.terminalSeqLimit).contains(number) else { return nil }
        return number
    }

    /// An object of those members that are not nil.
    static func members(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues(\.self)) }

    static func orNull(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    static func orNull(_ number: Int64?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
}

extension RemoteParameters {
    /// - Throws: ``TerminalError/sessionIDRequired``.
    func terminalID() throws(TerminalError) -> String {
        guard let id = value["sessionId"]?.stringValue, !id.isEmpty else { throw .sessionIDRequired }
        return id
    }

    /// The name of one of the asker's windows; nil without one.
    func viewerID() throws -> String? {
        guard let name = try optionalText("viewerId", limit: TerminalMethods.viewerNameLimit) else { return nil }
        return name.isEmpty ? nil : name
    }

    /// Columns and rows; a missing one is the standard's where there is one.
    ///
    /// - Throws: ``TerminalError/invalidDimensions``.
    func terminalSize(default standard: TerminalSize?) throws(TerminalError) -> TerminalSize {
        func number(_ name: String, _ fallback: UInt16?) throws(TerminalError) -> Int64 {
            guard let number = has(name) ? value[name]?.integerValue : fallback.map(Int64.init) else {
                throw .invalidDimensions
            }
            return number
        }
        return try TerminalSize(
            columns: number("cols", standard?.columns),
            rows: number("rows", standard?.rows)
        )
    }
}
