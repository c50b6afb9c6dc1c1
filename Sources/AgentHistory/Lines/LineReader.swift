import Foundation

/// Reads whole lines forwards from a position, in chunks. Blank lines are not given. A last line without its line feed stays unread: it may be half written.
struct LineReader {
    private let file: HistoryFile
    private let limits: LineLimits
    private let firstByteRead: Int64
    /// Bytes of the file from `bufferOffset` on; those before `start` are done with.
    private var buffer: [UInt8] = []
    private var bufferOffset: Int64
    private var start = 0
    private var filled = 0
    /// How far the search for a line feed came, from `start`.
    private var searched = 0
    private var long: LongLine?
    private var hasEnded = false

    private struct LongLine {
        var offset: Int64
        var head: [UInt8]
        /// A line whose beginning was passed by an earlier reader is not reported.
        var isReported: Bool
    }

    /// - Parameter offset: Where a line begins, or, with `insideLine`, a byte inside of one, whose rest is passed over.
    init(_ file: HistoryFile, from offset: Int64, insideLine: Bool = false, limits: LineLimits = LineLimits()) {
        self.file = file
        self.limits = limits
        bufferOffset = offset
        firstByteRead = file.bytesRead
        if insideLine { long = LongLine(offset: offset, head: [], isReported: false) }
    }

    /// Where to go on: behind the newest whole line, or inside of one that is too long to cross at once.
    var position: Int64 { unfinished?.offset ?? bufferOffset + Int64(start) }

    /// The position lies inside of a line that is too long to hold.
    var isInsideLine: Bool { long != nil && unfinished == nil }

    /// A line that is too long, and whose end is not written yet: it is read from its beginning once it is.
    private var unfinished: LongLine? { hasEnded ? long.flatMap { $0.isReported ? $0 : nil } : nil }

    /// The next whole line that is not blank.
    mutating func next() throws(AgentHistoryError) -> LineStep {
        while true {
            if let step = try taken() { return step }
            if file.bytesRead - firstByteRead >= limits.budget { return .stopped }
            guard try fill() else { return .end }
        }
    }

    /// The next line in the buffer. Nil: more bytes are needed.
    private mutating func taken() throws(AgentHistoryError) -> LineStep? {
        while true {
            if long == nil, searched == 0 {
                start = buffer.withUnsafeBytes { bytes in
                    var first = start
                    while first < filled, bytes[first] == 0x0A { first += 1 }
                    return first
                }
            }
            let feed = buffer.withUnsafeBytes { bytes -> Int? in
                let from = start + searched
                guard let base = bytes.baseAddress, from < filled,
                    let found = memchr(base + from, 0x0A, filled - from)
                else { return nil }
                return UnsafeRawPointer(found) - base
            }
            guard let feed else {
                pass()
                return nil
            }
            defer { searched = 0 }
            if let passed = long {
                let end = bufferOffset + Int64(feed)
                long = nil
                start = feed + 1
                searched = 0
                guard passed.isReported else { continue }
                let length = end - passed.offset
                let tail = min(Int64(limits.tail), length)
                let content = HistoryLine.Content.tooLong(
                    head: passed.head,
                    tail: try file.bytes(at: end - tail, count: Int(tail))
                )
                return .line(HistoryLine(offset: passed.offset, length: length, content: content))
            }
            let offset = bufferOffset + Int64(start)
            let count = feed - start
            let range = start..<feed
            start = feed + 1
            let content: HistoryLine.Content =
                count <= limits.line
                ? .whole(Array(buffer[range]))
                : .tooLong(
                    head: Array(buffer[range].prefix(limits.head)),
                    tail: Array(buffer[range].suffix(limits.tail))
                )
            return .line(HistoryLine(offset: offset, length: Int64(count), content: content))
        }
    }

    /// Notes that the buffer holds no line feed; what is too long is dropped.
    private mutating func pass() {
        if long != nil {
            start = filled
            searched = 0
        } else if filled - start > limits.line {
            long = LongLine(
                offset: bufferOffset + Int64(start),
                head: Array(buffer[start..<filled].prefix(limits.head)),
                isReported: true
            )
            start = filled
            searched = 0
        } else {
            searched = filled - start
        }
    }

    /// False at the end of the file.
    private mutating func fill() throws(AgentHistoryError) -> Bool {
        if start > 0 {
            buffer.removeFirst(start)
            filled -= start
            bufferOffset += Int64(start)
            start = 0
        }
        let chunk = buffer.isEmpty ? min(limits.firstChunk, limits.chunk) : limits.chunk
        if buffer.isEmpty {
            buffer = [UInt8](repeating: 0, count: chunk)
        } else if buffer.count < filled + chunk {
            buffer += [UInt8](repeating: 0, count: filled + chunk - buffer.count)
        }
        let count = try file.read(into: &buffer, from: filled, at: bufferOffset + Int64(filled))
        filled += count
        hasEnded = count == 0
        return count > 0
    }
}
