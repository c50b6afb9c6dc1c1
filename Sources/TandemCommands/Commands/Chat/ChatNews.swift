import ChatClient
import Kernel
import Synchronization

/// Reports what is followed in lines for a person. A message's item comes again with each change of it; only some changes are news.
final class ChatNews: Sendable {
    /// Messages whose last report is remembered. Who follows for days must not collect all of them.
    private static let limit = 2000

    fileprivate struct Key: Hashable {
        var id: String
        var from: String
    }

    fileprivate struct State {
        var rows: [String: ChatControl.ConversationEntry]
        var told: [Key: ChatControl.MessageEntry] = [:]
        var order: [Key] = []
    }

    private let state: Mutex<State>

    /// - Parameter rows: The conversations that are known; others are learned from what is followed.
    init(_ rows: [ChatControl.ConversationEntry]) {
        state = Mutex(State(rows: Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })))
    }

    /// Empty for what is no news to a person.
    func lines(of item: ChatControl.Item) -> [String] {
        if let row = item.conversation { state.withLock { $0.rows[row.id] = row } }
        if let message = item.message { return lines(of: message) }
        if let notice = item.notice, let row = state.withLock({ $0.rows[notice.conversation] }) {
            return [ChatText().notice(notice, in: row)]
        }
        if let state = item.state, state != .connecting, let note = ChatText.note(state) { return [note] }
        if item.reset == true { return ["Some were missed. See them: tandem chat"] }
        return []
    }

    private func lines(of message: ChatControl.MessageEntry) -> [String] {
        let (row, before) = state.withLock { state in
            (state.rows[message.conversation], state.note(message, limit: Self.limit))
        }
        guard let row, Self.isNews(message, after: before) else { return [] }
        let rows = ChatText().rows(message, in: row)
        guard message.isMine else { return rows }
        // An own message of another device says to whom it went.
        return rows.enumerated().map { $0 == 0 ? "\($1)  → \(TerminalText.line(row.name))" : $1 }
    }

    private static func isNews(_ message: ChatControl.MessageEntry, after before: ChatControl.MessageEntry?) -> Bool {
        guard let before else { return message.status != .sending }
        return (before.status == .sending && message.status != .sending) || before.kind != message.kind
            || before.flash != message.flash || (before.trouble != nil && message.trouble == nil)
    }
}

extension ChatNews.State {
    /// Notes a message, and gives what was told of it before.
    fileprivate mutating func note(_ message: ChatControl.MessageEntry, limit: Int) -> ChatControl.MessageEntry? {
        let key = ChatNews.Key(id: message.id, from: message.from)
        let before = told.updateValue(message, forKey: key)
        if before == nil { order.append(key) }
        if order.count > limit { told[order.removeFirst()] = nil }
        return before
    }
}
