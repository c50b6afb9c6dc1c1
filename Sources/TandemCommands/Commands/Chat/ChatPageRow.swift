import ChatClient

/// What stands in a page of a conversation.
enum ChatPageRow {
    case message(ChatControl.MessageEntry)
    case notice(ChatControl.Notice)
}

extension ChatControl.Page {
    /// The messages with the phone's own lines among them: each behind the message of its place, and before own messages that wait.
    var rows: [ChatPageRow] {
        var left = notices[...]
        var rows: [ChatPageRow] = []
        for message in messages {
            while let notice = left.first, notice.after < message.seq ?? .max {
                rows.append(.notice(notice))
                left.removeFirst()
            }
            rows.append(.message(message))
        }
        return rows + left.map { .notice($0) }
    }
}
