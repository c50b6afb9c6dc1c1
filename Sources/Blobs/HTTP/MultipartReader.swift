import Foundation
import Kernel

/// Reads a body of `multipart/form-data` (RFC 7578) as it arrives. Of what stands between the parts nothing is kept, and of a part's head a
/// bounded piece.
package struct MultipartReader {
    package enum Event: Hashable {
        /// A part begins.
        ///
        /// - Parameters:
        ///   - name: Of the form's field; nil where it says none.
        ///   - isFile: Whether it names a file.
        case begin(name: String?, isFile: Bool)
        /// Bytes of the part.
        case bytes(ArraySlice<UInt8>)
        case end
    }

    private enum State {
        /// Before the first part.
        case preamble
        /// Behind a boundary: the end of the line says whether another part follows.
        case boundary
        case head
        case content
        case epilogue
    }

    /// Bytes of a part's head at most.
    private static let headLimit = 8 << 10
    private static let partLimit = 32
    private static let preambleLimit = 8 << 10
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private let delimiter: [UInt8]
    private var state = State.preamble
    /// What was not decided yet. It begins with a line end, since the first boundary needs none in front.
    private var buffer: [UInt8] = MultipartReader.lineEnd
    /// Whether the buffer begins with the line end that closed the part's head, which is none of its bytes.
    private var isAtStart = false
    /// Bytes before the first part.
    private var skipped = 0
    private var parts = 0

    /// Whether the last boundary has come.
    package private(set) var isAtEnd = false

    /// - Parameter contentType: The field of the request's head.
    /// - Returns: Nil for another type, and for a boundary that is none.
    package init?(contentType: String) {
        let pieces = contentType.split(separator: ";")
        guard let type = pieces.first, Self.trimmed(type).lowercased() == "multipart/form-data" else { return nil }
        let boundary = pieces.dropFirst().lazy.compactMap { Self.parameter($0, named: "boundary") }.first
        guard let boundary, (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
    }

    /// - Returns: What begins, goes on and ends with these bytes.
    /// - Throws: ``BlobError/malformedRequest(_:)``.
    package mutating func take(_ bytes: [UInt8]) throws(BlobError) -> [Event] {
        buffer += bytes
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// - Returns: Whether there may be more to do without further bytes.
    private mutating func step(_ events: inout [Event]) throws(BlobError) -> Bool {
        switch state {
        case .preamble: return try skipPreamble()
        case .boundary: return try passBoundary()
        case .head: return try readHead(&events)
        case .content: return readContent(&events)
        case .epilogue:
            buffer = []
            return false
        }
    }

    private mutating func skipPreamble() throws(BlobError) -> Bool {
        if let place = Self.find(delimiter, in: buffer) {
            guard skipped + place <= Self.preambleLimit else {
                throw .malformedRequest("its first part does not begin")
            }
            buffer.removeSubrange(..<(place + delimiter.count))
            state = .boundary
            return true
        }
        let rest = max(0, buffer.count - delimiter.count)
        skipped += rest
        buffer.removeSubrange(..<rest)
        guard skipped <= Self.preambleLimit else { throw .malformedRequest("its first part does not begin") }
        return false
    }

    private mutating func passBoundary() throws(BlobError) -> Bool {
        guard buffer.count >= 2 else { return false }
        if buffer.starts(with: Array("--".utf8)) {
            isAtEnd = true
            state = .epilogue
            return true
        }
        guard let end = Self.find(Self.lineEnd, in: buffer) else {
            // The limit is the same however the body is cut: a line end may have come by half.
            guard buffer.count <= Self.headLimit + 1 else {
                throw .malformedRequest("the line of a boundary does not end")
            }
            return false
        }
        guard end <= Self.headLimit, buffer[..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
            throw .malformedRequest("something stands behind a boundary")
        }
        parts += 1
        guard parts <= Self.partLimit else { throw .malformedRequest("it has more than \(Self.partLimit) parts") }
        // The line end stays: a head without lines ends with it.
        buffer.removeSubrange(..<end)
        state = .head
        return true
    }

    private mutating func readHead(_ events: inout [Event]) throws(BlobError) -> Bool {
        guard let end = Self.find(Self.lineEnd + Self.lineEnd, in: buffer) else {
            guard buffer.count <= Self.headLimit + 3 else { throw .malformedRequest("the head of a part is too long") }
            return false
        }
        guard end <= Self.headLimit else { throw .malformedRequest("the head of a part is too long") }
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(..<(end + 4))
        var (name, isFile): (String?, Bool) = (nil, false)
        for line in text.split(whereSeparator: \.isNewline) {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, sides[0].lowercased() == "content-disposition" else { continue }
            let fields = sides[1].split(separator: ";").dropFirst()
            name = fields.lazy.compactMap { Self.parameter($0, named: "name") }.first
            isFile = fields.contains { field in
                Self.parameter(field, named: "filename") != nil || Self.parameter(field, named: "filename*") != nil
            }
        }
        events.append(.begin(name: name, isFile: isFile))
        // An empty part's boundary uses the line end that closed the head.
        buffer.insert(contentsOf: Self.lineEnd, at: 0)
        state = .content
        isAtStart = true
        return true
    }

    private mutating func readContent(_ events: inout [Event]) -> Bool {
        let place = Self.find(delimiter, in: buffer)
        // What may be the beginning of a boundary waits for what follows.
        let end = place ?? max(0, buffer.count - delimiter.count + 1)
        let start = isAtStart ? min(Self.lineEnd.count, end) : 0
        if end > start { events.append(.bytes(buffer[start..<end])) }
        if end >= Self.lineEnd.count || place != nil { isAtStart = false }
        guard let place else {
            // The line end stays until it is known to be none of a boundary's.
            if !isAtStart { buffer.removeSubrange(..<end) }
            return false
        }
        buffer.removeSubrange(..<(place + delimiter.count))
        events.append(.end)
        state = .boundary
        return true
    }

    private static func find(_ wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            wanted.withUnsafeBufferPointer { wanted in
                let last = bytes.count - wanted.count
                var place = 0
                search: while place <= last {
                    var index = 0
                    while index < wanted.count {
                        guard bytes[place + index] == wanted[index] else {
                            place += 1
                            continue search
                        }
                        index += 1
                    }
                    return place
                }
                return nil
            }
        }
    }

    /// The value of a parameter such as `name="file"`, in quotation marks or without.
    private static func parameter(_ text: Substring, named name: String) -> String? {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, trimmed(sides[0]).lowercased() == name else { return nil }
        let value = trimmed(sides[1])
        guard value.hasPrefix("\""), value.hasSuffix("\""), value.utf8.count >= 2 else { return value }
        return String(value.dropFirst().dropLast())
    }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}
