import Conversations

/// Pages of one rollout of lines.
struct CodexPages {
    private let file: HistoryFile
    private let limits: PageLimits

    init(_ file: HistoryFile, limits: PageLimits) {
        self.file = file
        self.limits = limits
    }

    func page(from cursor: ConversationCursor) throws(AgentHistoryError) -> ConversationPage {
        var lines = try ForwardLines(file, from: cursor, limits: limits)
        var page = ConversationPage(newer: cursor, reachesEnd: false)
        var stepped = false
        while page.items.count < limits.items || !stepped {
            stepped = true
            guard let line = try lines.next(&page) else { break }
            guard case .record(let record) = lines.record(line, &page) else { continue }
            if let running = CodexItems.turnRuns(record) { page.isTurnRunning = running }
            if let turns = CodexItems.turnsTakenBack(record) {
                page.replacesEarlier = Self.takeBack(turns, from: &page.items) || page.replacesEarlier
                continue
            }
            page.items += CodexItems.items(of: record)
        }
        page.items = CodexItems.merged(page.items)
        lines.finish(&page)
        return page
    }

    /// Removes the last turns of a page. True where some of them lie before it.
    private static func takeBack(_ turns: Int, from items: inout [ConversationItem]) -> Bool {
        var left = turns
        while left > 0, let last = items.popLast() {
            if CodexItems.beginsTurn(last) { left -= 1 }
        }
        return left > 0
    }

    /// More turns than a thread has. A client's cursor may name any number.
    private static let takenBackLimit = 1_000_000

    func lastPage(before cursor: ConversationCursor?) throws(AgentHistoryError) -> ConversationPage {
        var lines = try BackwardLines(file, before: cursor, limits: limits)
        var page = ConversationPage(newer: cursor ?? .start, reachesEnd: cursor == nil)
        // Turns that were taken back further on, and lie here.
        var takenBack = min(max(0, cursor?.link.flatMap { Int($0) } ?? 0), Self.takenBackLimit)
        var reversed: [ConversationItem] = []
        var isWhole = false
        while reversed.count < limits.items || takenBack > 0 {
            guard let line = try lines.next(&page) else {
                isWhole = lines.isAtStart
                break
            }
            guard case .record(let record) = lines.record(line, &page) else { continue }
            if page.isTurnRunning == nil { page.isTurnRunning = CodexItems.turnRuns(record) }
            if let turns = CodexItems.turnsTakenBack(record) {
                takenBack = min(takenBack + turns, Self.takenBackLimit)
                continue
            }
            let items = CodexItems.items(of: record)
            if takenBack > 0 {
                if items.contains(where: CodexItems.beginsTurn) { takenBack -= 1 }
                continue
            }
            reversed += items.reversed()
        }
        page.items = CodexItems.merged(reversed.reversed())
        if !isWhole, lines.position > 0 {
            page.older = ConversationCursor(offset: lines.position, link: takenBack > 0 ? String(takenBack) : nil)
        }
        lines.finish(&page, newest: cursor == nil)
        return page
    }
}
