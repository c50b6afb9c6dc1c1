import Accounts
import Chat
import Kernel

extension SyncFrame.Response {
    /// A push as clients of existing servers read it (`msgs`, `notificationMsgs`), and beside it the event with its number, which ours go by.
    ///
    /// - Parameter media: Adds what a message shows of its files.
    init(_ delivery: ChatDelivery, to person: UserID, media: ShownMedia) async throws {
        switch delivery {
        case .resync: self.init(.push, data: ["resync": true])
        case .push(let push):
            var data: [String: JSONValue] = ["msgs": [:], "notificationMsgs": [:]]
            if case .message(let message) = push.change {
                let part = PulledMessages.Part(
                    messages: [try await media.adding(to: MessageData(message), for: person)],
                    isEnd: true,
                    endSequence: message.seq
                )
                data = PulledMessages([message.conversation: part]).wire.objectValue ?? data
            } else if let event = ChatEvent(push.change, number: push.number) {
                data["events"] = [event.wire]
                data["notificationMsgs"] = Self.notification(of: push.change, to: person)
            }
            self.init(.push, data: .object(data))
        }
    }

    /// The notification that existing servers have for a change; empty where they have none.
    private static func notification(of change: ChatChange, to person: UserID) -> JSONValue {
        let found: (id: ConversationID, sender: UserID, type: ContentType, element: JSONValue)? =
            switch change {
            case .recalled(let id, let seq, let clientMessageID, let revoker, let time):
                (
                    id, revoker, .revoke,
                    RevokeNotice(
                        clientMessageID: clientMessageID,
                        revoker: revoker,
                        time: time,
                        sequence: seq,
                        conversation: id
                    ).pushElement
                )
            case .peerRead(let id, let seq):
                id.peer(of: person).map { peer in
                    (id, peer, .readReceipt, ReadReceipt(reader: peer, conversation: id, readSequence: seq).element)
                }
            case .read(let id, let seq):
                (id, person, .readReceipt, ReadReceipt(reader: person, conversation: id, readSequence: seq).element)
            case .typing(let id):
                id.peer(of: person).map { (id, $0, .typing, TypingNotice(isTyping: true).element) }
            default: nil
            }
        guard let found, let receiver = found.id.peer(of: found.sender) else { return [:] }
        var message = MessageData(
            clientMessageID: "\(found.type)-\(found.id)",
            from: found.sender,
            to: receiver,
            contentType: found.type,
            element: found.element
        )
        message.origin = .system
        message.options = .control
        let part = PulledMessages.Part(messages: [message], isEnd: true, endSequence: 0)
        return [found.id.text: PulledMessages([found.id: part]).wire["msgs"]?[found.id.text] ?? [:]]
    }
}
