import Conversations

/// Finds the conversation in a session's tree while its records are read from the newest to the oldest: the path from the newest
/// record of a person or the model to the beginning. What was left by going back is not on it.
///
/// Some records stand beside the path and belong to it: results of tools that ran side by side, further parts of an answer, and
/// notices of the program. A parent that is missing, because its line is damaged or in another file, is replaced by the record
/// before.
struct ClaudeConversation {
    enum Wanted: Hashable {
        /// The newest record of a person or the model.
        case newest
        /// The next one, whichever it is.
        case unnamed
        case record(String)
        /// The beginning was reached.
        case nothing

        var link: String? {
            switch self {
            case .newest, .nothing: nil
            case .unnamed: ""
            case .record(let id): id
            }
        }

        init(link: String?) {
            self = link.map { $0.isEmpty ? .unnamed : .record($0) } ?? .newest
        }
    }

    /// Records that wait for one that they belong to.
    private static let heldLimit = 512
    /// How far a missing parent is looked for where one may be missing.
    private static let patience = 64

    private(set) var wanted: Wanted
    /// How many items belong to the conversation.
    private(set) var count = 0
    /// The oldest record on the path so far.
    private(set) var oldest: ClaudeNode?

    private var taken: [ClaudeNode] = []
    private var positions: Set<Int64> = []
    private var ids: Set<String> = []
    private var messageIDs: Set<String> = []
    private var held: [ClaudeNode] = []
    /// Marks of queued prompts that wait for the record before them, which tells whether they are on the path.
    private var marks: [ClaudeNode] = []
    /// Marks that stand behind a record of the path.
    private var marksAfter: [String: [ClaudeNode]] = [:]

    // The search for a parent.
    private var sawGap = false
    private var passed = 0
    private var firstPassedEnd: Int64?
    private var sawSibling = false
    private var missingParents = 0

    init(wanted: Wanted) { self.wanted = wanted }

    /// Something is still looked for that would complete what was found.
    var waitsForToolCalls: Bool { held.contains { !$0.toolResults.isEmpty } }

    /// A damaged line was passed since the last record of the path.
    var hasGap: Bool { sawGap }

    /// Everything that belongs to the conversation, in order.
    var items: [ConversationItem] {
        let nodes = taken.sorted { $0.position < $1.position }
        // A prompt that has an attachment is said by that.
        var said: [String: Int] = [:]
        for case .attachment(let text)? in nodes.map(\.queued) { said[text, default: 0] += 1 }
        let kept = nodes.filter { node in
            guard case .mark(let text)? = node.queued, let count = said[text], count > 0 else { return true }
            said[text] = count - 1
            return false
        }
        return ClaudeItems.joined(kept.flatMap(\.items))
    }

    /// Takes marks that no record stands before in what was read.
    mutating func finishMarks() {
        for mark in marks { add(mark) }
        marks = []
    }

    /// Whether this record would be the next on the path and begins another message.
    func beginsMessage(_ node: ClaudeNode) -> Bool {
        isWanted(node) && (node.messageID == nil || node.messageID != oldest?.messageID)
    }

    mutating func passGap() { sawGap = true }

    mutating func take(_ node: ClaudeNode) {
        if case .mark? = node.queued {
            // At the very end it may be that its attachment is not written yet.
            if oldest != nil { marks.append(node) }
            return
        }
        if !marks.isEmpty, let id = node.id {
            marksAfter[id, default: []] += marks
            marks = []
        }
        // A copy of a record that was taken already.
        if let id = node.id, ids.contains(id) { return }
        guard isWanted(node) else {
            pass(node)
            return
        }
        oldest = node
        wanted =
            switch node.parent {
            case .record(let id): .record(id)
            case .none: .nothing
            case .unnamed: .unnamed
            }
        (sawGap, passed, firstPassedEnd, sawSibling) = (false, 0, nil, false)
        add(node)
    }

    /// Where to go on instead when the wanted record is not found: before this offset.
    ///
    /// - Parameter isAtStart: No older records are left.
    mutating func fallback(isAtStart: Bool) -> Int64? {
        guard case .record = wanted, let end = firstPassedEnd else { return nil }
        guard isAtStart || (sawGap || missingParents >= 2) && passed >= Self.patience else { return nil }
        // Another child of the wanted record was passed: what lies here was left by going back.
        guard !sawSibling else { return nil }
        missingParents += 1
        wanted = .unnamed
        (sawGap, passed, firstPassedEnd) = (false, 0, nil)
        return end
    }

    /// Takes results whose calls are not among `nodes`: they were read before.
    mutating func takeResults(ofCallsBefore nodes: [ClaudeNode]) {
        let calls = Set(nodes.flatMap(\.toolUses))
        for node in held where !node.toolResults.isEmpty && calls.isDisjoint(with: node.toolResults) { add(node) }
    }

    /// Takes a notice of the program without looking at the tree.
    mutating func takeNotice(_ node: ClaudeNode) { add(node) }

    private func isWanted(_ node: ClaudeNode) -> Bool {
        switch wanted {
        case .newest: node.isMessage
        case .unnamed: node.isMessage || node.isSystem
        case .record(let id): node.id == id
        case .nothing: false
        }
    }

    private mutating func pass(_ node: ClaudeNode) {
        if let messageID = node.messageID, messageIDs.contains(messageID) {
            add(node)
            return
        }
        if node.isMessage, case .record(let id) = wanted {
            passed += 1
            firstPassedEnd = firstPassedEnd ?? node.end
            if node.parent == .record(id) { sawSibling = true }
        }
        if !node.toolResults.isEmpty || node.messageID != nil || node.isSystem {
            held.append(node)
            if held.count > Self.heldLimit { held.removeFirst(held.count - Self.heldLimit) }
        }
    }

    /// Adds a record with those that waited for it.
    private mutating func add(_ node: ClaudeNode) {
        var waiting = [node]
        while let next = waiting.popLast() {
            guard positions.insert(next.position).inserted else { continue }
            if let id = next.id { guard ids.insert(id).inserted else { continue } }
            if let id = next.messageID { messageIDs.insert(id) }
            if let id = next.id, let marks = marksAfter.removeValue(forKey: id) { waiting += marks }
            taken.append(next)
            count += next.items.count
            held.removeAll { other in
                let belongs =
                    other.messageID.map { $0 == next.messageID } ?? false
                    || !Set(other.toolResults).isDisjoint(with: next.toolUses)
                    || other.isSystem && next.id.map { other.parent == .record($0) } ?? false
                if belongs { waiting.append(other) }
                return belongs
            }
        }
    }
}
