import Accounts
import Chat
import GRDB
import Storage

/// What is kept of one account.
struct StoredAccount: Sendable {
    let store: ChatStore
    let row: Int64
    let me: UserID
    /// Called after each commit, in their order.
    let told: @Sendable (StoreNews) -> Void

    func read<Answer: Sendable>(_ body: @escaping @Sendable (ChatReading) throws -> Answer) async throws -> Answer {
        try await store.telling {
            try await store.database.read { try body(ChatReading($0, account: row, me: me)) }
        }
    }

    /// One transaction. What it brought is told after its commit.
    func write<Answer: Sendable>(_ body: @escaping @Sendable (ChatTransaction) throws -> Answer) async throws -> Answer
    {
        try await store.telling {
            try await store.database.write { database in
                let transaction = ChatTransaction(database, account: row, me: me)
                let answer = try body(transaction)
                let news = try transaction.news()
                // On the writer's own thread: two commits are told in their order.
                if !news.isEmpty { database.afterNextTransaction { _ in told(news) } }
                return answer
            }
        }
    }
}

/// What a commit brought.
struct StoreNews: Sendable {
    /// A message that is new or changed.
    struct Message: Sendable {
        let record: MessageRecord
        let peerRead: Int64
    }

    var messages: [Message] = []
    /// Messages that are no more.
    var removed: [(ConversationID, MessageKey)] = []
    /// Conversations that are new or changed, as the list shows them.
    var conversations: [ListedConversation] = []
    /// The history of these begins later now.
    var cleared: [(ConversationID, through: Int64)] = []
    var peerRead: [(ConversationID, upTo: Int64)] = []
    /// Lines that this device put into conversations.
    var notices: [NoticeRecord] = []

    var isEmpty: Bool {
        messages.isEmpty && removed.isEmpty && conversations.isEmpty && cleared.isEmpty && notices.isEmpty
    }
}

/// A conversation with what its row in the list says beside.
struct ListedConversation: Sendable {
    let record: ConversationRecord
    let profile: Profile?
    /// The newest message that is shown.
    let last: MessageRecord?

    /// Whether the list has it.
    var isVisible: Bool {
        record.preview > record.hiddenUpTo || record.draft != nil || last.map { $0.sequence == nil } ?? false
    }

    /// By which the list is ordered, in milliseconds; 0 without a message.
    var time: Int64 { last.map { $0.sendTime > 0 ? $0.sendTime : $0.createTime } ?? 0 }
}
