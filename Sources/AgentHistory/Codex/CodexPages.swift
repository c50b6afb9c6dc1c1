import Conversations
import Kernel

/// Pages of one rollout of lines.
struct CodexPages {
    /// Bytes before a page that are read for what its first records repeat.
    private static let contextBytes: Int64 = 256 << 10
    /// Records of it: the calls whose ends may stand in the page are among them.
    private static let contextRecords = 64

    private let file: HistoryFile
    private let limits: PageLimits

    init(_ file: HistoryFile, limits: PageLimits) {
        self.file = file
        self.limits = limits
    }

    /// Whether only the model's items tell a file's messages, read once for a page.
    private final class Voice {
        private let file: HistoryFile
        private var known: Bool?

        init(_ file: HistoryFile) { self.file = file }

        func isModelsOnly() throws(AgentHistoryError) -> Bool {
            if let known { return known }
            let found = try !CodexHead.tellsMessages(file)
            known = found
            return found
        }
    }

    /// A fork whose parent is not here says so where the parent's text would be.
    private func piece(of record: HistoryRecord) -> CodexPiece {
        guard let parent = file.missingBase, record.value["type"] == "session_meta",
            record.value["payload"]?["history_base"]?.name("thread_id", limit: 200) == parent
        else { return CodexPiece(record) }
        let text =
            "What was said before is in the thread \(ShortText.line(parent, limit: 200)), whose file is not here."
        return CodexPiece(CodexItems.items([CodexItems.notice(.other("fork"), text, record)], of: record))
    }

    private func conversation() -> CodexConversation {
        let voice = Voice(file)
        return CodexConversation { () throws(AgentHistoryError) in try voice.isModelsOnly() }
    }

    /// The pieces before a place, the oldest first.
    private func context(before offset: Int64) throws(AgentHistoryError) -> [CodexPiece] {
        let limits = LineLimits(line: Int(Self.contextBytes), budget: Self.contextBytes)
        var lines = ReverseLineReader(file, before: offset, limits: limits)
        var reversed: [CodexPiece] = []
        var count = 0
        while count < Self.contextRecords, case .line(let line) = try lines.next() {
            count += 1
            if case .record(let record) = HistoryRecord.read(line) { reversed.append(CodexPiece(record)) }
        }
        return reversed.reversed()
    }

    func page(from cursor: ConversationCursor) throws(AgentHistoryError) -> ConversationPage {
        var lines = try ForwardLines(file, from: cursor, limits: limits)
        var page = ConversationPage(newer: cursor, reachesEnd: false)
        page.ownStart = file.ownStart
        var conversation = conversation()
        var hasContext = cursor.offset == 0 || cursor.isInsideLine
        var stepped = false
        while conversation.items.count < limits.items || !stepped {
            stepped = true
            guard let line = try lines.next(&page) else { break }
            guard case .record(let record) = lines.record(line, &page) else { continue }
            if let running = CodexItems.turnRuns(record) { page.isTurnRunning = running }
            if let turns = CodexItems.turnsTakenBack(record) {
                page.replacesEarlier = conversation.takeBack(turns) || page.replacesEarlier
                continue
            }
            let piece = piece(of: record)
            if !hasContext, CodexConversation.needsContext(piece) {
                hasContext = true
                for piece in try context(before: cursor.offset) {
                    try conversation.take(piece, isShown: false)
                }
            }
            try conversation.take(piece)
        }
        page.items = CodexItems.merged(conversation.items)
        lines.finish(&page)
        return page
    }

    /// More turns than a thread has. A client's cursor may name any number.
    private static let takenBackLimit = 1_000_000

    func lastPage(before cursor: ConversationCursor?) throws(AgentHistoryError) -> ConversationPage {
        var lines = try BackwardLines(file, before: cursor, limits: limits)
        var page = ConversationPage(newer: cursor ?? .start, reachesEnd: cursor == nil)
        page.ownStart = file.ownStart
        // Turns that were taken back further on, and lie here.
        var takenBack = min(max(0, cursor?.link.flatMap { Int($0) } ?? 0), Self.takenBackLimit)
        // Counts while reading; what is shown is found by going forwards over the same pieces.
        var counting = conversation()
        var reversed: [CodexPiece] = []
        var count = 0
        var isWhole = false
        while count < limits.items || takenBack > 0 {
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
            let piece = piece(of: record)
            if let telling = piece.telling {
                let standing = try counting.note(telling, of: piece, isTakenBack: takenBack > 0)
                if takenBack > 0 {
                    if standing == .new, telling.role == .user { takenBack -= 1 }
                    continue
                }
                if standing == .takenBack { continue }
                if standing == .new { count += piece.items.count }
            } else if piece.beginsTurn {
                counting.beginTurn()
                if takenBack > 0 { continue }
            } else if takenBack > 0 {
                if piece.items.contains(where: CodexItems.beginsTurn) { takenBack -= 1 }
                continue
            } else {
                count += piece.items.count
            }
            if piece.telling != nil || piece.beginsTurn || !piece.items.isEmpty { reversed.append(piece) }
        }
        let start = lines.position
        var conversation = conversation()
        if !isWhole, start > 0, reversed.contains(where: CodexConversation.needsContext) {
            for piece in try context(before: start) { try conversation.take(piece, isShown: false) }
        }
        for piece in reversed.reversed() { try conversation.take(piece) }
        page.items = CodexItems.merged(conversation.items)
        if !isWhole, start > 0 {
            page.older = ConversationCursor(offset: start, link: takenBack > 0 ? String(takenBack) : nil)
        }
        lines.finish(&page, newest: cursor == nil)
        return page
    }
}
