import Kernel

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

    /// Takes bytes, and hands out the records that they complete.
    ///
    /// - Throws: ``ContainerError/malformedRecords(_:)``, ``ContainerError/recordsTooLarge(_:)``, and what `take` throws.
    mutating func append(_ bytes: [UInt8], _ take: (JSONValue) throws -> Void) throws {
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
                guard let value = try? JSONValue(parsing: record) else { throw ContainerError.malformedRecords(path) }
                record.removeAll(keepingCapacity: record.capacity <= 1 << 20)
                count += 1
                place = .behindRecord
                try take(value)
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

    /// Where the record ends, or what there is of it. Brackets alone are counted: the parser checks the rest.
    private mutating func end(of bytes: [UInt8], from start: Int) -> (index: Int, isWhole: Bool) {
        bytes.withUnsafeBufferPointer { bytes in
            for index in start..<bytes.count {
                let byte = bytes[index]
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
                    if depth == 0 { return (index + 1, true) }
                }
            }
            return (bytes.count, false)
        }
    }
}
