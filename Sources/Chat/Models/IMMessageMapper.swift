public import Accounts
import Kernel

/// Makes rows of what existing programs hand over. Documented name.
public struct IMMessageMapper: Hashable, Sendable {
    public let me: UserID

    public init(me: UserID) { self.me = me }

    /// The conversation of a message or a notification; nil for what concerns no conversation of two people with `me` in it.
    public func conversation(of data: MessageData) -> ConversationID? {
        var id = data.conversation
        switch data.contentType {
        case .revoke: id = RevokeNotice(element: data.element)?.conversation ?? id
        case .readReceipt: id = ReadReceipt(element: data.element)?.conversation ?? id
        default: break
        }
        guard let id, id.peer(of: me) != nil else { return nil }
        return id
    }

    /// What a message means in `conversation`; nil for one that belongs to another: neither a peer's message goes by unseen nor does an own one show
    /// up in every conversation. Source: rule B5.
    public func item(_ data: MessageData, in conversation: ConversationID) -> IncomingItem? {
        guard self.conversation(of: data) == conversation else { return nil }
        let sequence = data.sequence > 0 ? data.sequence : nil
        switch data.contentType {
        case .revoke: return recall(data, in: conversation)
        case .readReceipt: return ReadReceipt(element: data.element).map(IncomingItem.read)
        case .typing:
            guard let sender = data.sender, sender != me else { return .nothing(sequence: nil) }
            return .typing(isTyping: TypingNotice(element: data.element).isTyping)
        default:
            guard let sender = data.sender, let receiver = conversation.peer(of: sender) else { return nil }
            // Notifications count in a conversation of their own.
            guard !data.contentType.isNotification else { return .nothing(sequence: nil) }
            let payload = data.payload
            if case .flashViewed(let viewed) = payload {
                // The viewer received the photo, so the other one sent it: no person can burn an own photo for the other by this.
                return .flashViewed(
                    target: MessageKey(sender: receiver, clientMessageID: viewed.messageID),
                    sequence: sequence
                )
            }
            return .message(message(data, from: sender, to: receiver, payload))
        }
    }

    /// A payload that is over its limits is shown as one of an unknown kind.
    private func message(_ data: MessageData, from sender: UserID, to receiver: UserID, _ payload: MessagePayload)
        -> ChatMessage
    {
        var shown = payload
        switch payload {
        case .image, .flashImage, .multiImage, .voice, .signalQuote:
            // The one thing that check() asks and rows do not need is a key: old programs send addresses alone, and the server tells nobody the key of a
            // photo that burns.
            if (try? payload.check()) == nil, !needsNoKey(payload) { shown = .unknown(data.contentType, data.element) }
        case .text, .flashViewed, .sealed, .unknown: break
        }
        var message = ChatMessage(
            id: data.clientMessageID,
            from: sender,
            to: receiver,
            as: me,
            createTime: data.createTime > 0 ? data.createTime : data.sendTime,
            status: .success,
            shown
        )
        message.serverID = data.serverMessageID.isEmpty ? nil : data.serverMessageID
        message.sequence = data.sequence > 0 ? data.sequence : nil
        message.sendTime = data.sendTime > 0 ? data.sendTime : nil
        message.isRead = data.isRead
        message.uploadProgress = 1
        return message
    }

    private func needsNoKey(_ payload: MessagePayload) -> Bool {
        switch payload {
        // It is opened by its message: the hub and sealing keep the key from whoever receives it.
        case .flashImage(let photo): photo.objectKey.isEmpty
        case .image(let image): image.objectKey.isEmpty && (image.url?.utf8.count ?? 0) <= ChatLimits.url
        case .voice(let voice): voice.objectKey.isEmpty && (voice.url?.utf8.count ?? 0) <= ChatLimits.url
        case .multiImage(let images):
            images.objectKeys.isEmpty && images.urls.count <= ChatLimits.pictures
                && images.urls.allSatisfy { $0.utf8.count <= ChatLimits.url }
        default: false
        }
    }

    /// Both shapes: in history the row itself says that it was recalled and keeps its place; a notification names the row.
    private func recall(_ data: MessageData, in conversation: ConversationID) -> IncomingItem? {
        guard let notice = RevokeNotice(element: data.element) else {
            return .nothing(sequence: data.conversation == conversation && data.sequence > 0 ? data.sequence : nil)
        }
        let isHistory = notice.conversation == nil
        guard isHistory else {
            return .recalled(
                IncomingItem.Recall(
                    target: notice.isByAdministrator
                        ? nil
                        : notice.revoker.flatMap { revoker in
                            conversation.peer(of: revoker).map { _ in
                                MessageKey(sender: revoker, clientMessageID: notice.clientMessageID)
                            }
                        },
                    sequence: notice.sequence
                )
            )
        }
        guard let sender = notice.sourceSender ?? data.sender, let receiver = conversation.peer(of: sender) else {
            return nil
        }
        var message = ChatMessage(
            id: notice.clientMessageID,
            from: sender,
            to: receiver,
            as: me,
            createTime: data.createTime,
            .unknown(.revoke, data.element)
        )
        message.type = .revoked
        message.content = ""
        message.isRecalled = true
        message.sequence = data.sequence > 0 ? data.sequence : notice.sequence
        message.sendTime =
            (notice.sourceTime.flatMap { $0 > 0 ? $0 : nil }) ?? (data.sendTime > 0 ? data.sendTime : nil)
        message.serverID = data.serverMessageID.isEmpty ? nil : data.serverMessageID
        return .message(message)
    }
}
