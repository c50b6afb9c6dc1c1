package import Conversations

/// One line of a history by itself, for what is not read from a file.
package enum LineParsing {
    /// The items of a line without its line feed.
    ///
    /// - Returns: Nil for a line that is no record.
    package static func items(of line: [UInt8], agent: Agent) -> [ConversationItem]? {
        let limits = LineLimits()
        let content: HistoryLine.Content =
            line.count <= limits.line
            ? .whole(line) : .tooLong(head: Array(line.prefix(limits.head)), tail: Array(line.suffix(limits.tail)))
        return items(of: HistoryLine(offset: 0, length: Int64(line.count), content: content), agent: agent)
    }

    /// The items of a line of which only the beginning and the end are known.
    package static func items(ofCut head: [UInt8], tail: [UInt8], agent: Agent) -> [ConversationItem]? {
        let line = HistoryLine(offset: 0, length: 1 << 40, content: .tooLong(head: head, tail: tail))
        return items(of: line, agent: agent)
    }

    private static func items(of line: HistoryLine, agent: Agent) -> [ConversationItem]? {
        guard case .record(let record) = HistoryRecord.read(line) else { return nil }
        return agent == .codex ? CodexItems.items(of: record) : ClaudeItems.items(of: record)
    }
}
