import Conversations
import Kernel

/// Pages of one session's file.
struct ClaudePages {
    /// Ids that one link names.
    private static let linkLimit = 8

    private let file: HistoryFile
    private let limits: PageLimits
    private let withSidechains: Bool
    /// See ``ClaudeNode``.
    private let session: String?

    init(_ file: HistoryFile, limits: PageLimits) throws(AgentHistoryError) {
        self.file = file
        self.limits = limits
        withSidechains = ClaudePath.isSubagent(file.path)
        session = try Self.ownSession(file)
    }

    /// Lines at the beginning in which a record of the file's own session is looked for. Copies of an earlier session's records, which
    /// older versions began files with, are longer than that, and are then taken with what follows them.
    private static let ownLines = 50
    /// Every page reads them, also of a file of gigabytes.
    private static let ownBytes: Int64 = 64 << 10

    /// The session that the file is named after, where it has records of it.
    private static func ownSession(_ file: HistoryFile) throws(AgentHistoryError) -> String? {
        let stem = HistoryPath.stem(of: file.path)
        var reader = LineReader(file, from: 0, limits: LineLimits(budget: ownBytes))
        for _ in 0..<ownLines {
            guard case .line(let line) = try reader.next() else { return nil }
            if case .record(let record) = HistoryRecord.read(line, keeping: sessionOnly),
                record.value.name("sessionId", limit: 200) == stem,
                ["user", "assistant"].contains(record.value["type"]?.stringValue)
            {
                return stem
            }
        }
        return nil
    }

    private static let sessionOnly = JSONSelection.keys(["sessionId", "type"])

    func lastPage(before cursor: ConversationCursor?) throws(AgentHistoryError) -> ConversationPage {
        var lines = try BackwardLines(file, before: cursor, limits: limits)
        var page = ConversationPage(newer: cursor ?? .start, reachesEnd: cursor == nil)
        var conversation = ClaudeConversation(wanted: .init(link: cursor?.link))
        var newestIDs: [String] = []
        var isNewest = cursor == nil
        var older: Int64?
        while conversation.wanted != .nothing || conversation.waitsForToolCalls && conversation.count < limits.items {
            guard let line = try lines.next(&page) else {
                if lines.isAtStart {
                    guard let end = conversation.fallback(isAtStart: true) else { break }
                    lines.rewind(to: end, limits: limits)
                    continue
                }
                older = lines.position
                break
            }
            let reading = lines.record(line, &page)
            if reading.hasGap { conversation.passGap() }
            guard case .record(let record) = reading,
                let node = ClaudeNode(record, end: line.end, withSidechains: withSidechains, session: session)
            else { continue }
            if isNewest {
                newestIDs.append(contentsOf: [node.id].compactMap(\.self))
                isNewest = !node.isMessage
            }
            let isFull = conversation.count >= limits.items + (conversation.waitsForToolCalls ? 50 : 0)
            if isFull, conversation.beginsMessage(node) {
                older = node.end
                break
            }
            conversation.take(node)
            if let end = conversation.fallback(isAtStart: false) { lines.rewind(to: end, limits: limits) }
        }
        conversation.finishMarks()
        page.items = conversation.items
        if let older, older > 0, conversation.wanted != .nothing {
            page.older = ConversationCursor(offset: older, link: conversation.wanted.link)
        }
        lines.finish(&page, newest: cursor == nil)
        if cursor == nil { page.newer.link = link(newestIDs.prefix(Self.linkLimit)) }
        return page
    }

    func page(from cursor: ConversationCursor) throws(AgentHistoryError) -> ConversationPage {
        var lines = try ForwardLines(file, from: cursor, limits: limits)
        var page = ConversationPage(newer: cursor, reachesEnd: false)
        var nodes: [ClaudeNode] = []
        /// A damaged line stands before the node with this number.
        var gaps: Set<Int> = []
        var count = 0
        var next: Int64?
        while next == nil, let line = try lines.next(&page) {
            let reading = lines.record(line, &page)
            if reading.hasGap { gaps.insert(nodes.count) }
            guard case .record(let record) = reading,
                let node = ClaudeNode(record, end: line.end, withSidechains: withSidechains, session: session)
            else { continue }
            if count >= limits.items, node.messageID == nil || node.messageID != nodes.last?.messageID {
                // Not of the last message: the next page begins with it.
                next = line.offset
            } else {
                nodes.append(node)
                count += node.items.count
            }
        }
        var conversation = conversation(in: nodes, gaps: gaps, startsFile: cursor.offset == 0)
        conversation.finishMarks()
        page.items = conversation.items
        page.replacesEarlier = cursor.offset > 0 && leaves(cursor.link, conversation.oldest)
        lines.finish(&page)
        if let next { page.newer = ConversationCursor(offset: next) }
        page.newer.link = link(after: cursor.link, nodes)
        return page
    }

    /// The part of the conversation among these records.
    private func conversation(in nodes: [ClaudeNode], gaps: Set<Int>, startsFile: Bool) -> ClaudeConversation {
        var conversation = ClaudeConversation(wanted: .newest)
        var index = nodes.count - 1
        while true {
            while index >= 0 {
                if gaps.contains(index + 1) { conversation.passGap() }
                conversation.take(nodes[index])
                index -= 1
                if let end = conversation.fallback(isAtStart: false) {
                    index = nodes.lastIndex { $0.end <= end } ?? -1
                }
            }
            if gaps.contains(0) { conversation.passGap() }
            guard startsFile || conversation.hasGap, let end = conversation.fallback(isAtStart: true) else { break }
            index = nodes.lastIndex { $0.end <= end } ?? -1
        }
        if conversation.wanted == .newest {
            // Only notices of the program: they belong to what was read before.
            conversation = ClaudeConversation(wanted: .unnamed)
            for node in nodes.reversed() where node.isSystem { conversation.takeNotice(node) }
        }
        if !startsFile { conversation.takeResults(ofCallsBefore: nodes) }
        return conversation
    }

    /// Whether a page that begins with this record leaves what was read before: a person went back and wrote something else.
    private func leaves(_ link: String?, _ oldest: ClaudeNode?) -> Bool {
        guard let link, let oldest, oldest.isPrompt else { return false }
        return switch oldest.parent {
        case .record(let id): !link.split(separator: " ").contains { $0 == id }
        case .none: true
        case .unnamed: false
        }
    }

    /// The newest record of a person or the model and what the program wrote behind it: one of them is the parent of what follows.
    private func link(after earlier: String?, _ nodes: [ClaudeNode]) -> String? {
        let last = nodes.lastIndex(where: \.isMessage)
        let ids = (last.map { nodes[$0...] } ?? nodes[...]).compactMap(\.id)
        let known = last == nil ? (earlier ?? "").split(separator: " ").map(String.init) : []
        return link((known + ids).suffix(Self.linkLimit))
    }

    private func link(_ ids: ArraySlice<String>) -> String? { ids.isEmpty ? nil : ids.joined(separator: " ") }
}
