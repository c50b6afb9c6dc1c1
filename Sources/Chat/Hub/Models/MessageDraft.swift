package import Accounts
package import Chat
import Foundation
import Sealing

/// A message as its sender hands it in.
package struct MessageDraft: Hashable, Sendable {
    package let conversation: ConversationID
    package let sender: UserID
    /// The sending device, which gets the acknowledgement and no push.
    package let device: String
    /// The id that the sender's client made. With the sender it is unique for ever (I2).
    package let clientMessageID: String
    package let contentType: Int32
    /// As sent.
    package let content: [UInt8]
    package let facts: MessageFacts

    package init(
        conversation: ConversationID,
        sender: UserID,
        device: String,
        clientMessageID: String,
        contentType: Int32,
        content: [UInt8],
        facts: MessageFacts
    ) {
        self.conversation = conversation
        self.sender = sender
        self.device = device
        self.clientMessageID = clientMessageID
        self.contentType = contentType
        self.content = content
        self.facts = facts
    }

    /// Whether the hub cannot read it: a sealed view-once picture, too.
    var contentIsSealed: Bool {
        if facts.kind == .sealed { return true }
        guard case .flash(let key) = facts.kind else { return false }
        return key.hasPrefix(Self.sealedFlashPrefix)
    }

    private static let sealedFlashPrefix = UploadKind.flashPrefix + "sealed/"

    /// 16 bytes by which a repeat is told from another message under the same id (I2): of the conversation, the content as sent, and the
    /// keys of objects. The words of the notification do not count, because clients may change them on a retry.
    package var fingerprint: [UInt8] {
        var input = Array(conversation.text.utf8) + [0]
        func add(_ bytes: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { input.append(contentsOf: $0) }
            input.append(contentsOf: bytes)
        }
        withUnsafeBytes(of: contentType.bigEndian) { input.append(contentsOf: $0) }
        add(content)
        switch facts.kind {
        case .flash(let key): add(key.utf8)
        case .flashViewed(let target): add(target.utf8)
        default: add([])
        }
        for key in facts.objectKeys { add(key.utf8) }
        return Array(Hashing.sha256(input).prefix(16))
    }
}

/// The answer to a sender: the message is on disk (I3).
package struct MessageAck: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package let serverMessageID: String
    /// The id exactly as it was sent.
    package let clientMessageID: String
    /// 1 or more, without gaps in the conversation (I1).
    package let seq: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z by the hub's clock, never less than that of the message before (I8).
    package let sendTime: Int64
    /// Whether the message was there already.
    package let isRepeat: Bool
    /// Whether it began a conversation with a stranger.
    package let isRequest: Bool

    package init(
        serverMessageID: String,
        clientMessageID: String,
        seq: Int64,
        sendTime: Int64,
        isRepeat: Bool,
        isRequest: Bool = false
    ) {
        self.serverMessageID = serverMessageID
        self.clientMessageID = clientMessageID
        self.seq = seq
        self.sendTime = sendTime
        self.isRepeat = isRepeat
        self.isRequest = isRequest
    }
}

/// The rules of sending that are kept in the transaction of the message.
package struct SendRules: Hashable, Sendable {
    /// Whether the first message to a person is a request: text only, one, until it is accepted or answered.
    package var strangersAsk = true
    /// Whether the sender may begin another conversation now.
    package var mayBegin = true
    /// Bytes of a request's content.
    package var requestByteLimit = 32 << 10
    /// Milliseconds after which a view-once picture that was not opened is destroyed.
    package var flashLifetime: Int64 = 14 * 86_400_000

    package init() {}
}
