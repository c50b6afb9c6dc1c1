public import Control

extension ChatControl {
    /// How the account stands, and what the list shows.
    public struct Standing: Codable, Hashable, Sendable {
        public enum State: String, Codable, Hashable, Sendable {
            /// This phone has no account.
            case signedOut
            /// The hub is asked for what is missing.
            case connecting
            case live
            /// The hub is not reached; what is here can be read, and what is sent waits.
            case away
        }

        public var state: State
        /// Nil while nobody is signed in.
        @OrNull public var me: Me?
        public var conversations: [ConversationEntry]
        /// Messages, of conversations that are not muted.
        public var unread: Int
        /// First messages of people that wait for an answer.
        public var requests: Int
    }

    public struct Me: Codable, Hashable, Sendable {
        public var user: String
        public var name: String
        public var nickname: String
    }

    /// A row of the list.
    public struct ConversationEntry: Codable, Hashable, Sendable, Identifiable {
        /// A first message that waits for its answer.
        public enum Request: String, Codable, Hashable, Sendable {
            case incoming, outgoing
        }

        public var id: String
        public var user: String
        /// The nickname, or the account's name; `tb_7` until it is known. A peer's text.
        public var name: String
        /// The object's key of a picture; nil for none.
        @OrNull public var avatar: String?
        public var isOnline: Bool
        public var isPinned: Bool
        public var isMuted: Bool
        public var isBlocked: Bool
        /// Their account is gone.
        public var isDeleted: Bool
        @OrNull public var request: Request?
        @OrNull public var draft: String?
        public var unread: Int
        /// The newest message; nil in an empty conversation.
        @OrNull public var last: Preview?
        /// The other person read up to here; 0 for nothing, or where receipts are off.
        public var readByPeer: Int64
        /// Every device of theirs that was ever connected has everything up to here.
        public var receivedByPeer: Int64
        /// The newest place; 0 for none.
        public var newest: Int64
        /// This person read up to here.
        public var read: Int64
        public var isSealed: Bool
        /// The safety number was compared.
        public var isVerified: Bool
        /// Why nothing is sent until the person agrees; nil for no reason.
        @OrNull public var trouble: SealTrouble?
    }

    /// Why sealing stops, or what it says of a message.
    public enum SealTrouble: String, Codable, Hashable, Sendable, CaseIterable {
        /// Their chain of devices began anew.
        case restarted
        /// Their chain is not a continuation of what was seen.
        case forked
        /// Sealed before, and now they could be written to only in the clear.
        case clear
        /// The message is not for this device.
        case otherDevice
        /// The key that opened it is gone.
        case keyGone
        case badSignature
        /// It names a list of devices that this device does not know.
        case unknownList
        /// It was sealed, and what was inside cannot be read.
        case damaged
        /// Sealed or not, it did not come as a message: the hub or the sender's program wrote what this version cannot read.
        case unreadable
    }

    public struct Preview: Codable, Hashable, Sendable {
        public var id: String
        public var kind: MessageEntry.Kind
        /// Words of a text; empty for other kinds, of which pages have words of their own.
        public var text: String
        public var time: Int64
        public var isMine: Bool
        public var status: MessageEntry.Status
    }

    /// A message.
    public struct MessageEntry: Codable, Hashable, Sendable, Identifiable {
        public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
            case text, image, flash, voice, quote, recalled, unknown
        }

        public enum Status: String, Codable, Hashable, Sendable {
            /// It waits, or is being sent.
            case sending
            case sent
            case failed
        }

        public var id: String
        public var conversation: String
        public var from: String
        public var isMine: Bool
        public var kind: Kind
        /// Words of a text, and of a quote's reply. A peer's text.
        public var text: String
        /// The server's, and before it is known the sender's.
        public var time: Int64
        /// The place; nil before the server said it.
        @OrNull public var seq: Int64?
        public var status: Status
        /// A sentence for the person, where it failed.
        @OrNull public var error: String?
        /// 0 to 1, while files are uploaded.
        public var progress: Double
        public var pictures: [Picture]
        @OrNull public var voice: Voice?
        @OrNull public var quote: Signal?
        @OrNull public var flash: Flash?
        public var isSealed: Bool
        /// Why it cannot be shown, or why it is shown with a warning; nil for no reason.
        @OrNull public var trouble: SealTrouble?
        /// A clear message in a conversation that was sealed before.
        public var isUnexpectedlyClear: Bool
    }

    /// A picture of a message; `/api/chat/media?conversation=&id=&index=` has its bytes.
    public struct Picture: Codable, Hashable, Sendable {
        /// Pixels; nil where they are not known.
        @OrNull public var width: Int?
        @OrNull public var height: Int?
        /// What is shown until it is there; nil for none.
        @OrNull public var blurHash: String?
        /// It cannot be had any more.
        public var isExpired: Bool
    }

    public struct Voice: Codable, Hashable, Sendable {
        @OrNull public var seconds: Int?
        public var waveform: [Int]
        public var isExpired: Bool
    }

    /// The signal that a quote answers.
    public struct Signal: Codable, Hashable, Sendable {
        public var id: String
        public var content: String
        public var reply: String
    }

    /// A view-once picture.
    public enum Flash: String, Codable, Hashable, Sendable {
        /// The receiver can open it.
        case closed
        /// The sender's, not opened yet.
        case own
        case viewed
        case viewedByPeer
    }

    public struct Page: Codable, Hashable, Sendable {
        /// The oldest first. Own messages that wait are at the end of the newest page.
        public var messages: [MessageEntry]
        /// Lines of this phone among them, the earliest first.
        public var notices: [Notice]
        /// There is nothing older.
        public var isEnd: Bool
    }

    /// A line that this phone puts into a sealed conversation: the other person's list of devices changed.
    public struct Notice: Codable, Hashable, Sendable, Identifiable {
        public var id: Int64
        public var conversation: String
        /// It stands behind the message of this place; 0 for the beginning.
        public var after: Int64
        /// Milliseconds since 1970, by this phone's clock.
        public var time: Int64
        /// The names of devices that read the conversation from then on. A peer's texts.
        public var added: [String]
        /// The names of those that do not any more.
        public var removed: [String]
        /// The list began anew, and this person agreed to it.
        public var isAnew: Bool
    }

    public struct Found: Codable, Hashable, Sendable {
        /// The newest first.
        public var messages: [MessageEntry]
        @OrNull public var next: String?
    }

    public struct File: Codable, Hashable, Sendable {
        public var path: String
        /// As sniffed, for example `image/jpeg`.
        public var type: String
        public var size: Int
    }

    public struct OwnLink: Codable, Hashable, Sendable {
        public var link: String
        public var user: String
        public var name: String
    }

    public struct Contacts: Codable, Hashable, Sendable {
        public var people: [Contact]
    }

    public struct Contact: Codable, Hashable, Sendable {
        public var conversation: String
        public var user: String
        public var name: String
        @OrNull public var request: ConversationEntry.Request?
        public var isBlocked: Bool
        public var isVerified: Bool
    }

    public struct Safety: Codable, Hashable, Sendable {
        public var conversation: String
        public var isSealed: Bool
        /// Twelve groups of five digits; empty where one of the two has no keys yet.
        public var number: [String]
        /// The text of the QR code with the whole number; empty as ``number``.
        public var code: String
        public var isVerified: Bool
        @OrNull public var trouble: SealTrouble?
    }

    /// One thing that happened: exactly one member is there.
    public struct Item: Codable, Hashable, Sendable {
        /// New, or changed: the whole message, by its `id` and `from`.
        public var message: MessageEntry?
        /// New, or changed: the whole row.
        public var conversation: ConversationEntry?
        /// Off the list.
        public var hidden: String?
        /// The history begins later now, or some messages are gone.
        public var cleared: String?
        /// A message that is no more: discarded, or deleted for oneself.
        public var removed: Target?
        public var typing: Typing?
        /// A line of this phone in a conversation.
        public var notice: Notice?
        /// How the account stands now.
        public var state: Standing.State?
        /// Something may be missing: ask again.
        public var reset: Bool?

        public init(
            message: MessageEntry? = nil,
            conversation: ConversationEntry? = nil,
            hidden: String? = nil,
            cleared: String? = nil,
            removed: Target? = nil,
            typing: Typing? = nil,
            notice: Notice? = nil,
            state: Standing.State? = nil,
            reset: Bool? = nil
        ) {
            self.message = message
            self.conversation = conversation
            self.hidden = hidden
            self.cleared = cleared
            self.removed = removed
            self.typing = typing
            self.notice = notice
            self.state = state
            self.reset = reset
        }
    }

    public struct Typing: Codable, Hashable, Sendable {
        public var conversation: String
        public var isTyping: Bool
    }

    public struct Exported: Codable, Hashable, Sendable {
        public var folder: String
        public var conversations: Int
        public var messages: Int
        public var files: Int
    }
}
