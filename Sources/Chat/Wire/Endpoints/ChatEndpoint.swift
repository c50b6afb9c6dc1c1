/// A request of a chat's wire, declared once: client and server read the same declaration.
public struct ChatEndpoint<Request: ChatWire, Answer: ChatWire>: Sendable {
    /// The path below the server's address. All are POST with a JSON body.
    public let path: String
    /// The number by which the sync socket takes the same request; nil where it does not.
    public let frame: FrameID?

    init(_ path: String, frame: FrameID? = nil) {
        self.path = path
        self.frame = frame
    }
}

/// The requests of existing servers that a client of two-people chats needs. Source: `docs/chat.md`, "Requests".
public enum IMEndpoints {
    public static let send = ChatEndpoint<SendIMMessage, SendMessageAnswer>("/msg/send_msg", frame: .send)
    public static let revoke = ChatEndpoint<RevokeIMMessage, NoMembers>("/msg/revoke_msg")
    public static let newestSequences = ChatEndpoint<NewestSequencesRequest, NewestSequences>(
        "/msg/newest_seq",
        frame: .newestSequences
    )
    public static let pull = ChatEndpoint<PullRequest, PulledMessages>("/msg/pull_msg_by_seq", frame: .pullRanges)
    public static let markConversationRead = ChatEndpoint<MarkConversationRead, NoMembers>(
        "/msg/mark_conversation_as_read"
    )
    public static let markMessagesRead = ChatEndpoint<ConversationSequences, NoMembers>("/msg/mark_msgs_as_read")
    public static let readSequences = ChatEndpoint<ConversationsRequest, ReadSequences>(
        "/msg/get_conversations_has_read_and_max_seq",
        frame: .readSequences
    )
    public static let clear = ChatEndpoint<ClearConversations, NoMembers>("/msg/clear_conversation_msg")
    public static let deleteMessages = ChatEndpoint<ConversationSequences, NoMembers>("/msg/delete_msgs")
    public static let sortedConversations = ChatEndpoint<SortedConversationsRequest, SortedConversations>(
        "/conversation/get_sorted_conversation_list"
    )
    public static let allConversations = ChatEndpoint<OwnerRequest, AllConversations>(
        "/conversation/get_all_conversations"
    )
    public static let setConversations = ChatEndpoint<SetConversations, NoMembers>("/conversation/set_conversations")
    public static let deleteConversations = ChatEndpoint<ConversationsRequest, NoMembers>(
        "/conversation/delete_conversations"
    )
    public static let pinnedConversations = ChatEndpoint<OwnerRequest, ConversationIDs>(
        "/conversation/get_pinned_conversation_ids"
    )
    public static let onlineStatus = ChatEndpoint<PeopleRequest, OnlineStatuses>("/user/get_users_online_status")
    /// On the socket alone: it is the connection that follows.
    public static let watchPresence = ChatEndpoint<WatchedPeople, OnlineStatuses>(
        "/user/subscribe_users_status",
        frame: .subscribePresence
    )
    public static let usersInfo = ChatEndpoint<PeopleRequest, UsersInfo>("/user/get_users_info")
    public static let addBlack = ChatEndpoint<BlackEntry, NoMembers>("/friend/add_black")
    public static let removeBlack = ChatEndpoint<BlackEntry, NoMembers>("/friend/remove_black")
    public static let blackList = ChatEndpoint<BlackListRequest, BlackList>("/friend/get_black_list")
}

/// The documented requests to the app's own server. The paths of upload, signing and open-im are ours: the document gives none.
public enum ChatEndpoints {
    public static let send = ChatEndpoint<SendMessage, SendMessageAnswer>("/chat/message/send")
    public static let revoke = ChatEndpoint<RevokeMessage, NoMembers>("/chat/message/revoke")
    public static let profiles = ChatEndpoint<ProfilesRequest, Profiles>("/user/profile/openim-batch")
    public static let sign = ChatEndpoint<SignURLs, SignedURLs>("/chat/media/sign")
    public static let openIM = ChatEndpoint<OpenIMReceive, NoMembers>("/signal/receive/open-im")
    public static let sync = ChatEndpoint<SyncRequest, SyncAnswer>("/chat/sync")
    public static let search = ChatEndpoint<SearchMessages, FoundMessages>("/chat/search")
    public static let answerRequest = ChatEndpoint<AnswerRequest, NoMembers>("/chat/request/answer")
    public static let report = ChatEndpoint<ReportMessage, NoMembers>("/chat/report")
    public static let received = ChatEndpoint<MarkReceived, NoMembers>("/chat/received")
    public static let push = ChatEndpoint<RegisterPush, PushKey>("/chat/push")
    public static let findPerson = ChatEndpoint<FindPerson, FoundPerson>("/account/find")
    public static let openFlash = ChatEndpoint<OpenFlash, OpenedFlash>("/chat/flash/open")
    public static let appendToChain = ChatEndpoint<AppendToChain, NoMembers>("/chat/chain/append")
    public static let chains = ChatEndpoint<ChainsRequest, Chains>("/chat/chain/get")
    public static let publishChatKey = ChatEndpoint<PublishChatKey, NoMembers>("/chat/keys/publish")
    public static let chatKeys = ChatEndpoint<ChatKeysRequest, ChatKeys>("/chat/keys/bundles")
    public static let offerHandover = ChatEndpoint<OfferHandover, NoMembers>("/chat/handover/offer")
    public static let handovers = ChatEndpoint<HandoversRequest, Handovers>("/chat/handover/get")
    public static let endHandover = ChatEndpoint<EndHandover, NoMembers>("/chat/handover/done")
}
