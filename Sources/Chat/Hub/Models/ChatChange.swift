package import Accounts
package import Chat

/// Something that a person's devices are told of.
package enum ChatChange: Hashable, Sendable {
    /// Not in the log of events: it is found by its seq.
    case message(StoredMessage)
    case recalled(ConversationID, seq: Int64, clientMessageID: String, by: UserID, at: Int64)
    /// A view-once picture is gone.
    case destroyed(ConversationID, seq: Int64, clientMessageID: String)
    /// The person read up to here on another device.
    case read(ConversationID, upTo: Int64)
    /// The peer read up to here.
    case peerRead(ConversationID, upTo: Int64)
    /// The peer's device has everything up to here. Live only.
    case peerReceived(ConversationID, upTo: Int64)
    case settings(ConversationID, MemberSettings)
    case cleared(ConversationID, minSeq: Int64)
    case hidden(ConversationID, upTo: Int64)
    /// Messages that the person deleted for themselves.
    case deleted(ConversationID, seqs: [Int64])
    case requestAccepted(ConversationID)
    case requestDeclined(ConversationID)
    case blocked(UserID)
    case unblocked(UserID)
    case peerDeleted(ConversationID)
    /// Live only.
    case typing(ConversationID)
    /// Live only.
    case presence(UserID, isOnline: Bool)
    /// The person's list of devices, or a chat key of one. Live only.
    case keysChanged(UserID)
}

/// A change on its way to the devices of one person.
package struct ChatPush: Hashable, Sendable {
    package let person: UserID
    /// The number in the person's log of events, without gaps; nil for what is not in it.
    package let number: Int64?
    package let change: ChatChange
    /// The device that caused it and has it in its answer.
    package let origin: String?

    package init(person: UserID, number: Int64? = nil, change: ChatChange, origin: String? = nil) {
        self.person = person
        self.number = number
        self.change = change
        self.origin = origin
    }
}

/// A message for a person whose devices may be closed.
package struct OfflineNotice: Hashable, Sendable {
    package let person: UserID
    package let sender: UserID
    package let conversation: ConversationID
    package let seq: Int64
    /// The words to show.
    package let text: String
    /// The hub cannot read it.
    package let isSealed: Bool
    /// Counted, without a sound.
    package let isSilent: Bool
    /// A stranger's first message.
    package let isRequest: Bool
}

/// What a commit brought, told after it and in the order of commits (I3).
package struct LogNews: Sendable {
    package var pushes: [ChatPush] = []
    package var notices: [OfflineNotice] = []
    /// Objects that a message referred to and does not any more: their files may be removed now, never before.
    package var releasedObjects: [String] = []

    package init() {}

    var isEmpty: Bool { pushes.isEmpty && notices.isEmpty && releasedObjects.isEmpty }
}
