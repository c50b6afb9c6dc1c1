import Accounts
import Chat

/// What commands and pages are shown of the rows.
enum ChatEntries {
    static func conversation(_ listed: ListedConversation, isOnline: Bool, for me: UserID)
        -> ChatControl.ConversationEntry
    {
        let record = listed.record
        let name = listed.profile?.name ?? ""
        let avatar = listed.profile?.avatar ?? ""
        return ChatControl.ConversationEntry(
            id: record.id.text,
            user: record.peer.imUserID,
            name: name.isEmpty ? record.peer.imUserID : name,
            avatar: avatar.isEmpty ? nil : avatar,
            isOnline: isOnline,
            isPinned: record.isPinned,
            isMuted: record.isMuted,
            isBlocked: record.isBlocked,
            isDeleted: record.isPeerDeleted,
            request: request(record.request),
            draft: record.draft,
            unread: record.unread,
            last: listed.last.map { preview($0, for: me) },
            readByPeer: record.peerRead,
            receivedByPeer: max(record.peerReceived, record.peerRead),
            newest: record.newest,
            read: record.readUpTo,
            isSealed: record.isSealed,
            isVerified: record.isVerified,
            trouble: record.trouble
        )
    }

    static func request(_ request: ConversationStanding.Request?) -> ChatControl.ConversationEntry.Request? {
        switch request {
        case nil: nil
        case .incoming: .incoming
        case .outgoing: .outgoing
        }
    }

    private static func preview(_ record: MessageRecord, for me: UserID) -> ChatControl.Preview {
        let message = record.message(for: me)
        return ChatControl.Preview(
            id: message.id,
            kind: kind(message),
            text: message.type == .text ? message.content : "",
            time: message.displayTime,
            isMine: message.isMe,
            status: status(message)
        )
    }

    /// - Parameter progress: 0 to 1, of an upload.
    static func message(_ record: MessageRecord, progress: Double, for me: UserID) -> ChatControl.MessageEntry {
        let message = record.message(for: me)
        let kind = kind(message)
        var text = ""
        if kind == .text { text = message.content }
        if kind == .quote { text = message.signalQuoteReply ?? "" }
        return ChatControl.MessageEntry(
            id: message.id,
            conversation: record.conversation.text,
            from: message.sender.imUserID,
            isMine: message.isMe,
            kind: kind,
            text: text,
            time: message.displayTime,
            seq: message.sequence,
            status: status(message),
            error: message.errorReason,
            progress: progress,
            pictures: message.pictures.map { picture in
                ChatControl.Picture(
                    width: message.width,
                    height: message.height,
                    blurHash: nil,
                    isExpired: picture.isUnavailable
                )
            },
            voice: kind == .voice
                ? ChatControl.Voice(seconds: message.durationSeconds, waveform: message.waveform, isExpired: false)
                : nil,
            quote: kind == .quote
                ? ChatControl.Signal(
                    id: message.signalQuoteID ?? "",
                    content: message.signalQuoteContent ?? "",
                    reply: message.signalQuoteReply ?? ""
                ) : nil,
            flash: FlashCard(message).map(flash),
            isSealed: record.state.contains(.sealed),
            trouble: record.trouble,
            isUnexpectedlyClear: record.state.contains(.unexpectedlyClear)
        )
    }

    static func notice(_ record: NoticeRecord) -> ChatControl.Notice {
        ChatControl.Notice(
            id: record.row,
            conversation: record.conversation.text,
            after: record.place,
            time: record.time,
            added: record.change.added,
            removed: record.change.removed,
            isAnew: record.change.isAnew
        )
    }

    private static func kind(_ message: ChatMessage) -> ChatControl.MessageEntry.Kind {
        switch message.type {
        case .text: .text
        case .image, .multiImage: .image
        case .flashImage: .flash
        case .voice: .voice
        case .signalQuote: .quote
        case .revoked: .recalled
        case .flashViewed, .time, .unknown: .unknown
        }
    }

    private static func status(_ message: ChatMessage) -> ChatControl.MessageEntry.Status {
        switch message.status {
        case .sending: .sending
        case .success: .sent
        case .failed: .failed
        }
    }

    private static func flash(_ card: FlashCard) -> ChatControl.Flash {
        switch card {
        case .closed: .closed
        case .ownThumbnail: .own
        case .viewed: .viewed
        case .viewedByPeer: .viewedByPeer
        }
    }
}
