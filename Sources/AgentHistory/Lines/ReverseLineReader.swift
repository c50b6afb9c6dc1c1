import Foundation

/// Reads whole lines backwards from a position, in chunks: the end of a large file costs what is shown of it. Blank lines are not given.
struct ReverseLineReader {
    private let file: HistoryFile
    private let limits: LineLimits
    private let firstByteRead: Int64
    /// Bytes of the file that end at `end`.
    private var buffer: [UInt8] = []
    /// The offset behind the line feed of the next line to give, or, before the first one, where reading began.
    private var end: Int64
    /// How many bytes at the buffer's end are known to hold no line feed.
    private var searched = 0
    private var state = State.begins
    private var hasRead = false

    private enum State: Equatable {
        /// Behind `end` nothing was read: the bytes before it may be half of a line.
        case begins
        case lines
        /// Inside of a line that is too long to hold, which ends at `feed`.
        case long(feed: Int64)
    }

    /// - Parameter offset: Where a line begins or the file ends. The rest of a line before it, without its line feed, is left out.
    init(_ file: HistoryFile, before offset: Int64, limits: LineLimits = LineLimits()) {
        self.file = file
        self.limits = limits
        end = offset
        firstByteRead = file.bytesRead
    }

    /// Where the lines that were given begin; what is older lies before it.
    private(set) var position: Int64 = 0
    /// The offset behind the newest whole line; nil until the first step found it.
    private(set) var newestEnd: Int64?

    /// The next older whole line that is not blank.
    mutating func next() throws(AgentHistoryError) -> LineStep {
        while true {
            position = end
            if let line = try taken() { return .line(line) }
            position = end
            let bufferOffset = end - Int64(buffer.count)
            if bufferOffset == 0, state == .begins || end == 0 {
                // The rest is the half line of a file that has no other.
                newestEnd = newestEnd ?? 0
                return .end
            }
            if file.bytesRead - firstByteRead >= limits.budget { return .stopped }
            try fill(before: bufferOffset)
        }
    }

    private mutating func taken() throws(AgentHistoryError) -> HistoryLine? {
        while true {
            if state == .lines { skipBlankLines() }
            let bufferOffset = end - Int64(buffer.count)
            // The line feed that ends the line itself stands at the buffer's end.
            let skipped = max(searched, state == .lines ? 1 : 0)
            let feed = lastLineFeed(before: buffer.count - skipped)
            if state == .begins {
                guard let feed else {
                    // Half a line of any length is not held.
                    end = bufferOffset
                    buffer.removeAll(keepingCapacity: true)
                    return nil
                }
                buffer.removeLast(buffer.count - feed - 1)
                end = bufferOffset + Int64(feed) + 1
                newestEnd = end
                position = end
                state = .lines
                searched = 0
                continue
            }
            let lineStart = feed.map { bufferOffset + Int64($0) + 1 } ?? (bufferOffset == 0 ? 0 : nil)
            guard let lineStart, !buffer.isEmpty else {
                pass(bufferOffset)
                return nil
            }
            return try take(from: lineStart, bufferOffset: bufferOffset)
        }
    }

    private mutating func take(from lineStart: Int64, bufferOffset: Int64) throws(AgentHistoryError) -> HistoryLine {
        let lineEnd: Int64
        if case .long(let feed) = state { lineEnd = feed } else { lineEnd = end - 1 }
        let length = lineEnd - lineStart
        let content: HistoryLine.Content
        if length <= limits.line, state == .lines {
            let first = Int(lineStart - bufferOffset)
            content = .whole(Array(buffer[first..<(first + Int(length))]))
        } else {
            // The end first: of a compressed file it lies nearer to what was read last.
            let tail = min(limits.tail, Int(length))
            let end = try file.bytes(at: lineEnd - Int64(tail), count: tail)
            content = .tooLong(head: try file.bytes(at: lineStart, count: min(limits.head, Int(length))), tail: end)
        }
        buffer.removeLast(buffer.count - Int(lineStart - bufferOffset))
        end = lineStart
        position = lineStart
        state = .lines
        searched = 0
        return HistoryLine(offset: lineStart, length: length, content: content)
    }

    /// Notes that the buffer holds no line feed; what is too long is dropped.
    private mutating func pass(_ bufferOffset: Int64) {
        if case .long = state {
            end = bufferOffset
            buffer.removeAll(keepingCapacity: true)
            searched = 0
        } else if buffer.count > limits.line + 1 {
            state = .long(feed: end - 1)
            end = bufferOffset
            buffer.removeAll(keepingCapacity: true)
            searched = 0
        } else {
            searched = buffer.count
        }
    }

    private func lastLineFeed(before count: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            // The C library searches forwards only, on every system: so it says in which block the last one is.
            var blockEnd = count
            while blockEnd > 0 {
                let blockStart = max(0, blockEnd - 1024)
                if memchr(base + blockStart, 0x0A, blockEnd - blockStart) != nil {
                    return (blockStart..<blockEnd).last { bytes[$0] == 0x0A }
                }
                blockEnd = blockStart
            }
            return nil
        }
    }

    /// Passes over the blank lines at the buffer's end, of which a file may be full, without looking for each.
    private mutating func skipBlankLines() {
        let count = buffer.count
        let (blank, isFirst) = buffer.withUnsafeBytes { bytes -> (Int, Bool) in
            var first = count
            while first > 0, bytes[first - 1] == 0x0A { first -= 1 }
            return (count - first, first == 0 && end == Int64(count))
        }
        // The last of them ends the line before, unless there is none.
        let skipped = isFirst ? blank : max(0, blank - 1)
        guard skipped > 0 else { return }
        buffer.removeLast(skipped)
        end -= Int64(skipped)
        searched = 0
    }

    private mutating func fill(before bufferOffset: Int64) throws(AgentHistoryError) {
        let chunk = hasRead ? limits.chunk : min(limits.firstChunk, limits.chunk)
        hasRead = true
        let count = Int(min(Int64(chunk), bufferOffset))
        let piece = try file.bytes(at: bufferOffset - Int64(count), count: count)
        guard piece.count == count else {
            // The file became shorter while it was read.
            throw .truncated(path: file.path, offset: end, size: bufferOffset - Int64(count) + Int64(piece.count))
        }
        buffer = buffer.isEmpty ? piece : piece + buffer
    }
}
