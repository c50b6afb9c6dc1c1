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
    /// The beginning of a record whose end is in a later piece.
    private var begun: [UInt8] = []
    private var depth = 0
    private var isInText = false
    /// Whether the byte before was a backslash that is no escaped one.
    private var isEscaped = false

    package init(_ kind: RecordKind) { self.kind = kind }

    /// Takes the next piece and hands over the records that end in it.
    ///
    /// - Throws: ``JournalError/badRecord(_:member:)`` for anything but an array of objects, and what `body` throws.
    package mutating func take(_ bytes: some Sequence<UInt8>, _ body: (JSONValue) throws -> Void) throws {
        let taken: Void? = try bytes.withContiguousStorageIfAvailable { try take(UnsafeRawBufferPointer($0), body) }
        if taken == nil { try Array(bytes).withUnsafeBytes { try take($0, body) } }
    }

    /// - Throws: ``JournalError/badRecord(_:member:)`` where the array has no end.
    package func finish() throws(JournalError) {
        guard place == .ended else { throw .badRecord(kind, member: "array") }
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, _ body: (JSONValue) throws -> Void) throws {
        var index = 0
        while index < piece.count {
            guard place == .inside else {
                try takeBetween(piece[index])
                // The opening brace is looked at again, as a part of its record.
                if place != .inside { index += 1 }
                continue
            }
            let (end, isWhole) = skipRecord(piece, from: index)
            guard begun.count + end - index <= Self.recordLimit else {
                throw JournalError.badRecord(kind, member: "length")
            }
            let part = UnsafeRawBufferPointer(rebasing: piece[index..<end])
            index = end
            guard isWhole else {
                begun += part
                continue
            }
            place = .behind
            if begun.isEmpty {
                try body(try parsed(part))
            } else {
                begun += part
                let record = begun
                begun = []
                try body(try parsed(record))
            }
        }
    }

    private mutating func takeBetween(_ byte: UInt8) throws(JournalError) {
        switch (place, byte) {
        case (_, 0x20), (_, 0x09), (_, 0x0A), (_, 0x0D): break
        case (.beforeArray, UInt8(ascii: "[")): place = .first
        case (.first, UInt8(ascii: "]")), (.behind, UInt8(ascii: "]")): place = .ended
        case (.behind, UInt8(ascii: ",")): place = .next
        case (.first, UInt8(ascii: "{")), (.next, UInt8(ascii: "{")): place = .inside
        default: throw .badRecord(kind, member: "array")
        }
    }

    private func parsed(_ record: some Sequence<UInt8>) throws(JournalError) -> JSONValue {
        do { return try JSONValue(parsing: record) } catch { throw .badRecord(kind, member: "json") }
    }

    /// Goes on in a record. Only brackets and quotation marks are looked at: the parser checks the rest.
    ///
    /// - Returns: The place behind the record or behind the piece, and whether the record ended.
    private mutating func skipRecord(_ piece: UnsafeRawBufferPointer, from start: Int) -> (end: Int, isWhole: Bool) {
        var index = start
        while index < piece.count {
            if isInText {
                if !isEscaped { index = Self.textEnd(piece, from: index) }
                guard index < piece.count else { break }
                let byte = piece[index]
                index += 1
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else {
                    isInText = false
                }
                continue
            }
            switch piece[index] {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return (index, true) }
        }
        return (piece.count, false)
    }

    /// The place of the next quotation mark or backslash, eight bytes at a time: most of a journal is inside of texts.
    private static func textEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index &+ 8 <= bytes.count {
            let run = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quotes = run ^ 0x2222_2222_2222_2222
            let backslashes = run ^ 0x5C5C_5C5C_5C5C_5C5C
            // A byte that became zero borrows from the one above it.
            let found = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
            guard found & 0x8080_8080_8080_8080 == 0 else { break }
            index &+= 8
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            index &+= 1
        }
        return index
    }
}
