import Conversations

/// Joins the records of a rollout to a conversation in which each thing is said once, whichever of Codex's versions wrote it.
///
/// A message is taken from the completed item, else from the event, else from the model's item; the first of the records that tell it stands
/// for all, and the others are within a few records of it.
struct CodexConversation {
    /// Messages that a record can repeat.
    private static let recentLimit = 32
    /// Calls that an output or the end of a command can belong to.
    private static let callLimit = 4096

    /// The standing of a message in the conversation.
    enum Standing: Hashable {
        case new
        /// Another record tells it, or a source that is not shown.
        case told
        /// It is of a turn that was taken back.
        case takenBack
    }

    private struct Recent {
        let telling: CodexPiece.Telling
        /// Whether an item came of it.
        var isShown: Bool
        /// How many parts each source has told.
        var parts: [CodexPiece.Source: Int]
        /// It lies in a turn that was taken back.
        var isTakenBack = false
    }

    private struct Call {
        var hasOutput = false
        var outcome: ToolOutcome?
    }

    private(set) var items: [ConversationItem] = []
    private var recent: [Recent] = []
    private var calls: [String: Call] = [:]
    private let takesModelMessages: () throws(AgentHistoryError) -> Bool

    /// - Parameter takesModelMessages: Whether nothing but the model's items tells this thread's messages. Asked when it matters.
    init(takesModelMessages: @escaping () throws(AgentHistoryError) -> Bool) {
        self.takesModelMessages = takesModelMessages
    }

    /// Whether what stands before a piece can say that it is told already.
    static func needsContext(_ piece: CodexPiece) -> Bool {
        piece.toolID != nil || piece.telling.map { $0.source != .item && !piece.items.isEmpty } ?? false
    }

    /// - Parameter isShown: False for a piece that is only context.
    mutating func take(_ piece: CodexPiece, isShown: Bool = true) throws(AgentHistoryError) {
        if piece.beginsTurn { beginTurn() }
        let new: [ConversationItem]
        if let telling = piece.telling {
            new = try note(telling, of: piece) == .new ? piece.items : []
        } else {
            new = tools(piece)
        }
        if isShown { items += new }
    }

    /// Removes the last turns. True where some of them lie before these items.
    mutating func takeBack(_ turns: Int) -> Bool {
        var left = turns
        while left > 0, let last = items.popLast() {
            if CodexItems.beginsTurn(last) { left -= 1 }
        }
        return left > 0
    }

    /// A person may say the same in each turn.
    mutating func beginTurn() { recent = [] }

    /// Notes a message, in any order of reading, and says whether it is one.
    ///
    /// - Parameter isTakenBack: Whether it is in a turn that was taken back.
    mutating func note(
        _ telling: CodexPiece.Telling,
        of piece: CodexPiece,
        isTakenBack: Bool = false
    ) throws(AgentHistoryError) -> Standing {
        guard !telling.texts.isEmpty else { return telling.source == .model || piece.items.isEmpty ? .told : .new }
        let known = recent.lastIndex { earlier in
            (earlier.isShown || earlier.isTakenBack) && earlier.telling.role == telling.role
                && earlier.telling.source != telling.source
                && earlier.parts[telling.source, default: 0] < earlier.telling.texts.count
                && Self.isSame(earlier.telling.texts, telling.texts)
        }
        if let known {
            recent[known].parts[telling.source, default: 0] += telling.texts.count
            return recent[known].isTakenBack ? .takenBack : .told
        }
        let isShown = piece.items.isEmpty ? false : telling.source != .model ? true : try takesModelMessages()
        recent.append(
            Recent(
                telling: telling,
                isShown: isShown,
                parts: [telling.source: telling.texts.count],
                isTakenBack: isTakenBack && isShown
            )
        )
        if recent.count > Self.recentLimit { recent.removeFirst() }
        return isShown ? .new : .told
    }

    /// Whether one of two tellings of a message is the other or a part of it. Lines that are too long are cut at different places.
    private static func isSame(_ one: [String], _ other: [String]) -> Bool {
        if one == other { return true }
        let (long, short) = (one.joined(), other.joined())
        if one.contains(short) || other.contains(long) || long == short { return true }
        let common = min(long.utf8.count, short.utf8.count)
        return common >= LineLimits().head / 2 && long.utf8.prefix(common).elementsEqual(short.utf8.prefix(common))
    }

    /// The calls, outputs and everything else of a record that are not told yet.
    private mutating func tools(_ piece: CodexPiece) -> [ConversationItem] {
        if let id = piece.toolID, let call = calls[id] {
            // The model's items tell the call, and the output unless the tool went on behind it.
            let output = piece.items.last
            guard case .toolOutput(let ended)? = output?.content else { return [] }
            calls[id]?.outcome = ended.outcome
            return call.hasOutput ? [output].compactMap(\.self) : []
        }
        var items = piece.items
        for (index, item) in items.enumerated() {
            switch item.content {
            case .toolCall(let call): know(call.callID)
            case .fileChange(let change): know(change.callID)
            case .toolOutput(var output):
                guard let id = output.callID else { continue }
                know(id)
                calls[id]?.hasOutput = true
                if output.outcome == .unknown, let outcome = calls[id]?.outcome {
                    output.outcome = outcome
                    items[index].content = .toolOutput(output)
                }
            default: break
            }
        }
        return items
    }

    private mutating func know(_ callID: String?) {
        guard let callID, calls[callID] == nil, calls.count < Self.callLimit else { return }
        calls[callID] = Call()
    }
}
