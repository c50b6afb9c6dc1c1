package import Accounts
package import Chat

/// A conversation in the list of one of its two people.
package struct ConversationSummary: Hashable, Sendable {
    package enum Request: Hashable, Sendable {
        /// Both may write.
        case none
        /// A stranger's first message waits for this person's answer.
        case incoming
        /// This person's first message waits for the other's answer. It stays so where it was declined, which nobody is told.
        case outgoing
    }

    package let conversation: ConversationID
    package let peer: UserID
    package let seqs: ConversationSeqs
    /// The peer read up to here, as far as the peer lets it be known.
    package let peerReadSeq: Int64
    package fileprivate(set) var peerReceivedSeq: Int64
    package let unread: Int
    package let settings: MemberSettings
    /// The newest message with a bubble that the person can see.
    package let lastMessage: StoredMessage?
    /// Its time, or that of the draft where there is no message; 0 for neither.
    package let lastTime: Int64
    package let request: Request
    package let isBlocked: Bool
    /// The peer's account is gone: history stays, nothing can be sent.
    package let isPeerDeleted: Bool
    /// Hidden by the person, and nothing came since.
    package let isHidden: Bool
}

extension ConversationSummary {
    /// As it is shown where people are not told what the other one has received.
    var withoutReceipts: ConversationSummary {
        var summary = self
        summary.peerReceivedSeq = 0
        return summary
    }
}

/// Where a person stands in a conversation.
package struct ConversationSeqs: Hashable, Sendable {
    package let conversation: ConversationID
    package let maxSeq: Int64
    /// The first seq that the person can see (I9); one more than ``maxSeq`` after clearing.
    package let minSeq: Int64
    package let readSeq: Int64
    /// Time of the newest message in milliseconds; 0 without one.
    package let maxSeqTime: Int64
}

/// A person's own settings of a conversation.
package struct MemberSettings: Hashable, Sendable {
    package var isPinned: Bool
    package var receiveOption: ReceiveOption
    package var draft: String?

    package init(isPinned: Bool = false, receiveOption: ReceiveOption = .receive, draft: String? = nil) {
        self.isPinned = isPinned
        self.receiveOption = receiveOption
        self.draft = draft
    }
}

/// A change of ``MemberSettings``; nil leaves a setting as it is.
package struct SettingsChange: Hashable, Sendable {
    package var isPinned: Bool?
    package var receiveOption: ReceiveOption?
    /// A blank one removes the draft.
    package var draft: String?

    package init(isPinned: Bool? = nil, receiveOption: ReceiveOption? = nil, draft: String? = nil) {
        self.isPinned = isPinned
        self.receiveOption = receiveOption
        self.draft = draft
    }
}
