package import Kernel

/// Reads a JSON array of records that comes in pieces, one record at a time: memory holds one record, however long the array is.
package struct RecordArrayReader {
    private enum Place {
        case beforeArray
        /// Behind the opening bracket: a record or the end.
        case first
        /// Behind a comma: a record.
        case next
        case inside
        /// Behind a record: a comma or the end.
        case behind
        case ended
    }

    /// Bytes of one record.
    package static let recordLimit = 16 << 20

    private let kind: RecordKind
    private var place = Place.beforeArray
    private var record: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    package init(_ kind: RecordKind) { self.kind = kind }

    /// Takes the next piece and hands over the records that end in it.
    ///
    /// - Throws: ``JournalError/badRecord(_:member:)`` for anything but an array of objects, and what `body` throws.
    package mutating func take(_ bytes: some Sequence<UInt8>, _ body: (JSONValue) throws -> Void) throws {
        for byte in bytes {
            if place == .inside {
                try inside(byte, body)
                continue
            }
            switch (place, byte) {
            case (_, 0x20), (_, 0x09), (_, 0x0A), (_, 0x0D): break
            case (.beforeArray, UInt8(ascii: "[")): place = .first
            case (.first, UInt8(ascii: "]")), (.behind, UInt8(ascii: "]")): place = .ended
            case (.behind, UInt8(ascii: ",")): place = .next
            case (.first, UInt8(ascii: "{")), (.next, UInt8(ascii: "{")):
                place = .inside
                record = [byte]
                depth = 1
            default: throw JournalError.badRecord(kind, member: "array")
            }
        }
    }

    /// - Throws: ``JournalError/badRecord(_:member:)`` where the array has no end.
    package func finish() throws(JournalError) {
        guard place == .ended else { throw .badRecord(kind, member: "array") }
    }

    private mutating func inside(_ byte: UInt8, _ body: (JSONValue) throws -> Void) throws {
        guard record.count < Self.recordLimit else { throw JournalError.badRecord(kind, member: "length") }
        record.append(byte)
        if isInText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        guard depth == 0 else { return }
        place = .behind
        let json: JSONValue
        do { json = try JSONValue(parsing: record) } catch { throw JournalError.badRecord(kind, member: "json") }
        record = []
        try body(json)
    }
}
