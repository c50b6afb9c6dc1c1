/// One line of a history, without its line feed.
struct HistoryLine: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case whole([UInt8])
        /// Longer than ``LineLimits/line``: never held, but for its beginning and its end.
        case tooLong(head: [UInt8], tail: [UInt8])
    }

    /// The offset of its first byte.
    let offset: Int64
    /// Bytes without the line feed. For a line of which only a part was passed, what is known of it.
    let length: Int64
    let content: Content

    /// A line without a mark of its encoding, and without the zeros that a file system leaves where a write was lost, and white space.
    static func text(of line: [UInt8]) -> [UInt8] {
        func isFiller(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var start = line.startIndex
        var end = line.endIndex
        while start < end {
            if isFiller(line[start]) {
                start += 1
            } else if line[start...].starts(with: [0xEF, 0xBB, 0xBF]) {
                start += 3
            } else {
                break
            }
        }
        while end > start, isFiller(line[end - 1]) { end -= 1 }
        return start == line.startIndex && end == line.endIndex ? line : Array(line[start..<end])
    }

    /// The offset of the line after it.
    var end: Int64 { offset + length + 1 }
}

/// The bounds of reading lines.
struct LineLimits: Hashable, Sendable {
    /// Longer lines are passed over.
    var line = 1 << 20
    /// How much of such a line is kept: its type, its time and a message of usual length are there.
    var head = 32 << 10
    /// How much of its end is kept: some agents write a record's id behind its message.
    var tail = 4 << 10
    /// Bytes of one read.
    var chunk = 64 << 10
    /// Bytes of a reader's first read: less where the first line or two are mostly enough.
    var firstChunk = 64 << 10
    /// Bytes that one reader reads before it stops.
    var budget: Int64 = 64 << 20
}

/// The result of one step of a reader of lines.
enum LineStep: Hashable, Sendable {
    case line(HistoryLine)
    /// No whole line is left in this direction.
    case end
    /// The budget is used up.
    case stopped
}
