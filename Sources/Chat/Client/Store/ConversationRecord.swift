import Accounts
import Chat
import GRDB
import Storage

/// A conversation's row of one account.
struct ConversationRecord: Hashable, Sendable {
    let row: Int64
    let id: ConversationID
    let peer: UserID
    var newest: Int64
    var lowest: Int64
    /// Everything from here to ``applied`` is on this device; nil before the first page came.
    var oldest: Int64?
    var applied: Int64
    var preview: Int64
    var hiddenUpTo: Int64
    var readUpTo: Int64
    var readTold: Int64
    var receivedTold: Int64
    var peerRead: Int64
    var peerReceived: Int64
    var unread: Int
    var olderUnread: Int
    var isPinned: Bool
    var receiveOption: ReceiveOption
    var draft: String?
    var isDraftTold: Bool
    var isBlocked: Bool
    var isPeerDeleted: Bool
    var request: ConversationStanding.Request?
    var isSealed: Bool
    var isVerified: Bool
    var trouble: ChatControl.SealTrouble?
    var isOpened: Bool

    /// Nil for a row that something damaged.
    init?(_ row: Row, of me: UserID) {
        guard let peer = UserID(row["peer"] as Int64), let id = ConversationID(me, peer) else { return nil }
        self.row = row["id"]
        self.id = id
        self.peer = peer
        newest = row["newest"]
        lowest = row["lowest"]
        oldest = row["oldest"]
        applied = row["applied"]
        preview = row["preview"]
        hiddenUpTo = row["hiddenUpTo"]
        readUpTo = row["readUpTo"]
        readTold = row["readTold"]
        receivedTold = row["receivedTold"]
        peerRead = row["peerRead"]
        peerReceived = row["peerReceived"]
        unread = row["unread"]
        olderUnread = row["olderUnread"]
        isPinned = row["isPinned"]
        receiveOption = ReceiveOption(rawValue: row["receiveOption"]) ?? .receive
        draft = row["draft"]
        isDraftTold = row["isDraftTold"]
        isBlocked = row["isBlocked"]
        isPeerDeleted = row["isPeerDeleted"]
        request = (row["request"] as String?).flatMap(ConversationStanding.Request.init)
        isSealed = row["isSealed"]
        isVerified = row["isVerified"]
        trouble = (row["trouble"] as String?).flatMap(ChatControl.SealTrouble.init)
        isOpened = row["isOpened"]
    }

    var isMuted: Bool { receiveOption != .receive }
    /// Whether everything older than the newest page is here.
    var reachesBack: Bool { (oldest ?? .max) <= lowest || newest < lowest }

    /// Takes a place that the hub named.
    mutating func note(newest place: Int64) { newest = max(newest, min(place, ChatLimits.place)) }
}

extension ConversationRecord {
    func save(in database: Database) throws {
        try database.run(
            """
            UPDATE messenger_conversation SET newest = \(newest), lowest = \(lowest), oldest = \(oldest), applied = \(applied),
                preview = \(preview), hiddenUpTo = \(hiddenUpTo), readUpTo = \(readUpTo), readTold = \(readTold),
                receivedTold = \(receivedTold), peerRead = \(peerRead), peerReceived = \(peerReceived), unread = \(unread),
                olderUnread = \(olderUnread), isPinned = \(isPinned), receiveOption = \(receiveOption.rawValue),
                draft = \(draft), isDraftTold = \(isDraftTold), isBlocked = \(isBlocked),
                isPeerDeleted = \(isPeerDeleted), request = \(request?.rawValue), isSealed = \(isSealed),
                isVerified = \(isVerified), trouble = \(trouble?.rawValue), isOpened = \(isOpened)
            WHERE id = \(row)
            """
        )
    }
}
