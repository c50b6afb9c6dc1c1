import Conversations

/// The lines of a page that is read forwards.
struct ForwardLines {
    private let file: HistoryFile
    private var reader: LineReader

    init(_ file: HistoryFile, from cursor: ConversationCursor, limits: PageLimits) throws(AgentHistoryError) {
        self.file = file
        if cursor.offset > 0 {
            // One byte back: a line begins only behind a line feed.
            guard let byte = try file.bytes(at: cursor.offset - 1, count: 1).first else {
                throw .truncated(path: file.path, offset: cursor.offset, size: try file.end() ?? 0)
            }
            guard byte == 0x0A || cursor.isInsideLine else { throw .rewritten(path: file.path, offset: cursor.offset) }
        }
        reader = LineReader(
            file,
            from: max(0, cursor.offset),
            insideLine: cursor.isInsideLine,
            limits: LineLimits(budget: limits.bytes)
        )
    }

    /// Nil where the page ends.
    mutating func next(_ page: inout ConversationPage) throws(AgentHistoryError) -> HistoryLine? {
        switch try reader.next() {
        case .line(let line):
            return line
        case .end:
            page.reachesEnd = true
            return nil
        case .stopped:
            return nil
        }
    }

    /// Reads a line as a record; a line that is none is noted on the page.
    func record(_ line: HistoryLine, _ page: inout ConversationPage) -> HistoryRecord.Reading { page.record(line) }

    /// Notes where the page ends and what it cost.
    func finish(_ page: inout ConversationPage) {
        page.newer = ConversationCursor(
            offset: reader.position,
            link: page.newer.link,
            isInsideLine: reader.isInsideLine
        )
        page.bytesRead = file.bytesRead
        page.damage = file.damage
        page.file = file.identity
    }
}

/// The lines of a page that is read backwards.
struct BackwardLines {
    private let file: HistoryFile
    private let end: Int64
    private let firstByteRead: Int64
    private var reader: ReverseLineReader
    private var newestEnd: Int64?
    /// Lines from here on were looked at before.
    private var lowest = Int64.max
    private(set) var isAtStart = false

    init(_ file: HistoryFile, before cursor: ConversationCursor?, limits: PageLimits) throws(AgentHistoryError) {
        self.file = file
        // The end of a compressed file is only known once it was unpacked.
        let end = try cursor == nil || !file.isCompressed ? file.end() ?? 0 : cursor?.offset ?? 0
        if let cursor, cursor.offset > end { throw .truncated(path: file.path, offset: cursor.offset, size: end) }
        self.end = cursor?.offset ?? end
        firstByteRead = file.bytesRead
        reader = ReverseLineReader(file, before: self.end, limits: LineLimits(budget: limits.bytes))
    }

    /// The offset before which the older lines lie.
    var position: Int64 { reader.position }

    /// Nil where the page ends.
    mutating func next(_ page: inout ConversationPage) throws(AgentHistoryError) -> HistoryLine? {
        switch try reader.next() {
        case .line(let line):
            return line
        case .end:
            isAtStart = true
            return nil
        case .stopped:
            return nil
        }
    }

    /// Reads a line as a record; a line that is none is noted on the page.
    mutating func record(_ line: HistoryLine, _ page: inout ConversationPage) -> HistoryRecord.Reading {
        defer { lowest = min(lowest, line.offset) }
        return page.record(line, isNew: line.offset < lowest)
    }

    /// Reading goes on before this line, not before the last one that was read.
    mutating func rewind(to offset: Int64, limits: PageLimits) {
        newestEnd = newestEnd ?? reader.newestEnd
        let left = max(0, limits.bytes - (file.bytesRead - firstByteRead))
        reader = ReverseLineReader(file, before: offset, limits: LineLimits(budget: left))
        isAtStart = false
    }

    /// Notes what the page cost and, of the last page of a file, where newer lines will be.
    func finish(_ page: inout ConversationPage, newest: Bool) {
        if newest {
            let found = newestEnd ?? reader.newestEnd
            // Half a line of any length was not crossed: it is passed over once it is whole.
            page.newer.offset = found ?? end
            page.newer.isInsideLine = found == nil && end > 0
        }
        page.bytesRead = file.bytesRead
        page.damage = file.damage
        page.file = file.identity
    }
}

extension ConversationPage {
    /// A line that is too long is noted although what its beginning tells is used.
    fileprivate mutating func record(_ line: HistoryLine, isNew: Bool = true) -> HistoryRecord.Reading {
        let reading = HistoryRecord.read(line)
        switch reading {
        case .record(let record) where record.isCut && isNew: skipped.note(line, .tooLong)
        case .record(let record) where record.isTorn && isNew: skipped.note(line, .malformed)
        case .unreadable(let reason) where isNew: skipped.note(line, reason)
        default: break
        }
        return reading
    }
}
