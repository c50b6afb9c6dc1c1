import Accounts
import Chat
import GRDB
import Kernel

/// A message's row, and the row that a screen shows of it.
struct MessageRecord: Hashable, Sendable {
    /// Nil before it is written.
    var row: Int64?
    let conversation: ConversationID
    let key: MessageKey
    var sequence: Int64?
    var serverID: String
    var contentType: ContentType
    /// As this device reads it: of a sealed message what was inside.
    var element: JSONValue
    var createTime: Int64
    /// 0 before the hub said it.
    var sendTime: Int64
    var status: MessageStatus
    /// A sentence for the person, where it failed.
    var error: String?
    var state: MessageState
    var trouble: ChatControl.SealTrouble?

    static let columns = """
        m.id, m.sender, m.clientID, m.seq, m.serverID, m.contentType, m.content, m.createTime, m.sendTime, m.status, \
        m.error, m.state, m.trouble
        """

    /// Nil for a row that something damaged.
    init?(_ row: Row, in conversation: ConversationID) {
        guard let sender = UserID(row["sender"] as Int64), let status = MessageStatus(rawValue: row["status"]) else {
            return nil
        }
        self.row = row["id"]
        self.conversation = conversation
        key = MessageKey(sender: sender, clientMessageID: row["clientID"])
        sequence = row["seq"]
        serverID = row["serverID"]
        contentType = ContentType(rawValue: row["contentType"])
        element = (try? JSONValue(parsing: (row["content"] as String).utf8)) ?? [:]
        createTime = row["createTime"]
        sendTime = row["sendTime"]
        self.status = status
        error = row["error"]
        state = MessageState(rawValue: row["state"])
        trouble = (row["trouble"] as String?).flatMap(ChatControl.SealTrouble.init)
    }

    /// An own message before it is sent.
    init(_ message: OutgoingMessage, from me: UserID) {
        conversation = message.conversation
        key = MessageKey(sender: me, clientMessageID: message.id)
        serverID = ""
        let payload = message.shownPayload
        contentType = payload.contentType
        element = payload.element
        createTime = message.createTime
        sendTime = 0
        status = .sending
        state = []
    }

    /// A message that came.
    init(_ data: MessageData, _ key: MessageKey, in conversation: ConversationID, _ state: MessageState) {
        self.conversation = conversation
        self.key = key
        sequence = data.sequence > 0 ? data.sequence : nil
        serverID = data.serverMessageID
        contentType = data.contentType
        element = data.element
        createTime = data.createTime > 0 ? data.createTime : data.sendTime
        sendTime = data.sendTime
        status = .success
        self.state = state
    }

    var payload: MessagePayload { MessagePayload(contentType, element: element) }

    /// Whether it is a row on the screen.
    var isShown: Bool { state.isDisjoint(with: [.control, .deleted]) }

    /// What a search finds; nil for what has no words.
    var words: String? {
        guard isShown, !state.contains(.recalled) else { return nil }
        let text: String
        switch payload {
        case .text(let words): text = words
        case .signalQuote(let quote): text = [quote.reply, quote.signalContent].joined(separator: " ")
        default: return nil
        }
        return text.isEmpty ? nil : text
    }

    /// Lets go of what it said.
    mutating func blank(_ reason: MessageState) {
        state.insert(reason)
        trouble = nil
        if reason == .destroyed {
            contentType = .custom
            element = MessagePayload.flashImage(.gone).element
        } else {
            contentType = reason == .recalled ? .revoke : .deleteMessages
            element = [:]
        }
    }

    /// The row of a screen.
    func message(for me: UserID) -> ChatMessage {
        guard !state.contains(.recalled), status == .success else { return plainMessage(for: me) }
        var data = MessageData(
            clientMessageID: key.clientMessageID,
            serverMessageID: serverID,
            createTime: createTime,
            sendTime: sendTime,
            from: key.sender,
            to: conversation.peer(of: key.sender) ?? me,
            contentType: contentType,
            element: element,
            sequence: sequence ?? 0
        )
        data.isRead = false
        // Keeps its rules for payloads over their limits.
        guard case .message(let message) = IMMessageMapper(me: me).item(data, in: conversation) else {
            return plainMessage(for: me)
        }
        return message
    }

    private func plainMessage(for me: UserID) -> ChatMessage {
        let isRecalled = state.contains(.recalled)
        var message = ChatMessage(
            id: key.clientMessageID,
            from: key.sender,
            to: conversation.peer(of: key.sender) ?? me,
            as: me,
            createTime: createTime,
            status: status == .failed ? .sending : status,
            isRecalled ? .unknown(.revoke, [:]) : payload
        )
        message.serverID = serverID.isEmpty ? nil : serverID
        message.sequence = sequence
        message.sendTime = sendTime > 0 ? sendTime : nil
        if status == .failed { try? message.move(to: .failed, reason: error) }  // from sending, which allows it
        if isRecalled {
            message.type = .revoked
            message.content = ""
            message.isRecalled = true
        }
        return message
    }
}

extension OutgoingMessage {
    /// What its row shows until the files are uploaded.
    var shownPayload: MessagePayload {
        switch content {
        case .payload(let payload): return payload
        case .media(let media):
            if let payload = try? media.payload() { return payload }
            // Without a key the payload could not be read again.
            let keys = media.files.map { $0.objectKey ?? Self.waitingPrefix + $0.source }
            let (first, key) = (media.files.first, keys.first ?? Self.waitingPrefix)
            return switch media.kind {
            case .image: .image(ImagePayload(objectKey: key, width: first?.width, height: first?.height))
            case .flash: .flashImage(FlashImagePayload(objectKey: ""))
            case .images: .multiImage(MultiImagePayload(objectKeys: keys))
            case .voice(let seconds, let waveform):
                .voice(VoicePayload(objectKey: key, durationSeconds: seconds, waveform: waveform))
            }
        }
    }

    /// Stands before the name of a file that waits, in place of an object's key.
    static let waitingPrefix = "outbox/"
}
