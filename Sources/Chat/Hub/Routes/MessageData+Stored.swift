import Accounts
import Chat
import Kernel

extension MessageData {
    /// A message as it is handed to a client: with its state folded in, so that no reload brings back what was taken back or seen (B14).
    init(_ message: StoredMessage) {
        let receiver = message.conversation.peer(of: message.sender) ?? message.sender
        let form = Self.form(of: message)
        self.init(
            clientMessageID: message.clientMessageID,
            serverMessageID: message.serverMessageID,
            createTime: message.sendTime,
            sendTime: message.sendTime,
            from: message.sender,
            to: receiver,
            contentType: form.type,
            element: form.element,
            sequence: message.seq
        )
        // Canonical since it was checked in.
        if form.isAsKept { keep(canonical: message.content) }
        if message.kind == .control || message.kind == .flashViewed { options = .control }
        if message.state == .deleted { status = Self.deletedStatus }
    }

    /// OpenIM's status of a message that its reader deleted.
    private static let deletedStatus = 4

    private static func form(
        of message: StoredMessage
    ) -> (type: ContentType, element: JSONValue, isAsKept: Bool) {
        let type = ContentType(rawValue: Int(message.contentType))
        switch message.state {
        case .recalled(let time):
            let notice = RevokeNotice(
                clientMessageID: message.clientMessageID,
                revoker: message.sender,
                time: time,
                sequence: message.seq,
                sourceTime: message.sendTime,
                sourceSender: message.sender
            )
            return (.revoke, notice.historyElement, false)
        case .destroyed:
            return (type, MessagePayload.flashImage(.gone).element, false)
        case .deleted:
            return (.deleteMessages, [:], false)
        case .kept, .opened:
            return (type, [:], message.content.first == UInt8(ascii: "{"))
        }
    }
}

extension PulledMessages.Part {
    /// - Parameters:
    ///   - page: In the order in which it was asked for.
    ///   - range: What was asked for.
    init(_ page: MessagePage, of range: ClosedRange<Int64>, isNewestFirst: Bool) {
        let messages = page.messages.map { MessageData($0) }
        let last = page.messages.last?.seq ?? (isNewestFirst ? range.upperBound : range.lowerBound)
        self.init(
            messages: isNewestFirst ? messages.reversed() : messages,
            isEnd: page.isEnd,
            endSequence: page.isEnd ? (isNewestFirst ? range.lowerBound : range.upperBound) : last
        )
    }
}
