/// Reads a JSON array of objects as its bytes come, a record at a time; the array is never held whole.
struct RecordArrayReader {
    private enum Place {
        case beforeArray
        /// Behind the bracket: a record or the end.
        case beforeFirst
        case inRecord
        /// Behind a record: a comma or the end.
        case behindRecord
        /// Behind a comma: a record.
        case beforeNext
        case behindArray
    }

    private let path: String
    private var place = Place.beforeArray
    private var record: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private(set) var count = 0

    /// - Parameter path: The entry, for errors.
    init(path: String) { self.path = path }

    /// Takes bytes, and hands out the texts of the records that they complete: from one bracket to the other, and not parsed.
    ///
    /// - Throws: ``ContainerError/malformedRecords(_:)``, ``ContainerError/recordsTooLarge(_:)``, and what `take` throws.
    mutating func append(_ bytes: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
        var index = 0
        while index < bytes.count {
            guard place == .inRecord else {
                try step(bytes[index])
                index += 1
                continue
            }
            let end = self.end(of: bytes, from: index)
            guard record.count + (end.index - index) <= RecordText.maximumRecord else {
                throw ContainerError.recordsTooLarge(path)
            }
            record += bytes[index..<end.index]
            index = end.index
            if end.isWhole {
                count += 1
                place = .behindRecord
                try take(record)
                record.removeAll(keepingCapacity: record.capacity <= 1 << 20)
            }
        }
    }

    /// Says that no more bytes come.
    ///
    /// - Throws: ``ContainerError/malformedRecords(_:)``.
    func finish() throws(ContainerError) {
        guard place == .behindArray else { throw .malformedRecords(path) }
    }

    /// A byte outside of all records.
    private mutating func step(_ byte: UInt8) throws(ContainerError) {
        switch (place, byte) {
        case (_, 0x20), (_, 0x09), (_, 0x0A), (_, 0x0D): break
        case (.beforeArray, UInt8(ascii: "[")): place = .beforeFirst
        case (.beforeFirst, UInt8(ascii: "]")), (.behindRecord, UInt8(ascii: "]")): place = .behindArray
        case (.behindRecord, UInt8(ascii: ",")): place = .beforeNext
        case (.beforeFirst, UInt8(ascii: "{")), (.beforeNext, UInt8(ascii: "{")):
            place = .inRecord
            record.append(byte)
            depth = 1
        default: throw .malformedRecords(path)
        }
    }

    /// Where the record ends, or what there is of it. Brackets alone are counted: whoever takes the record checks the rest.
    private mutating func end(of bytes: [UInt8], from start: Int) -> (index: Int, isWhole: Bool) {
        // Texts are nearly all of it. What is known lies in local values meanwhile, which the loop keeps in registers.
        var (depth, isInText, isEscaped) = (depth, isInText, isEscaped)
        defer { (self.depth, self.isInText, self.isEscaped) = (depth, isInText, isEscaped) }
        return bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                if isInText, !isEscaped { index = Self.endOfPlain(bytes, from: index) }
                guard index < bytes.count else { break }
                let byte = bytes[index]
                index += 1
                if isEscaped {
                    isEscaped = false
                } else if isInText {
                    if byte == UInt8(ascii: "\\") { isEscaped = true }
                    if byte == UInt8(ascii: "\"") { isInText = false }
                } else if byte == UInt8(ascii: "\"") {
                    isInText = true
                } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    depth += 1
                } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                    depth -= 1
                    if depth == 0 { return (index, true) }
                }
            }
            return (bytes.count, false)
        }
    }

    /// Where the next quotation mark or backslash stands, looked for in eight bytes at a time.
    private static func endOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= raw.count {
            let eight = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !hasByte(eight, 0x22), !hasByte(eight, 0x5C) else { break }
            index += 8
        }
        while index < raw.count, raw[index] != 0x22, raw[index] != 0x5C { index += 1 }
        return index
    }

    /// Whether one of the eight bytes is `byte`: one that is becomes zero, and only a zero borrows from its neighbour.
    private static func hasByte(_ eight: UInt64, _ byte: UInt8) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = eight ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & (ones << 7) != 0
    }
}
