public import Control

/// What a phone's commands and pages ask of its conversations. People are named by `tb_7`, conversations by `si_tb_7_tb_9`, messages by their
/// sender's id; times are milliseconds since 1970.
public enum ChatControl {
    /// Told after each change, without data: pages that show what changed follow ``follow`` instead.
    public static let topic = "chat"

    // MARK: The list

    public static let list = ControlMethod<NoControlParameters, Standing>(
        "chat.list",
        summary: "The conversations of this phone's account, in the order of the list."
    )
    /// Asks the hub where the person is not known here. Nothing is written to anybody.
    public static let open = ControlMethod<Person, ConversationEntry>(
        "chat.open",
        summary: "The conversation with a person, by account name, number or link; a new one is empty."
    )
    public static let pin = ControlMethod<Switched, ConversationEntry>(
        "chat.pin",
        summary: "Keep a conversation at the top of the list, or no more."
    )
    public static let mute = ControlMethod<Switched, ConversationEntry>(
        "chat.mute",
        summary: "Show no notifications of a conversation, or show them again."
    )
    public static let hide = ControlMethod<Choice, NoControlAnswer>(
        "chat.hide",
        summary: "Take a conversation off the list until something new is written in it."
    )
    public static let clear = ControlMethod<Choice, NoControlAnswer>(
        "chat.clear",
        summary: "Clear a conversation's history for this account alone."
    )
    public static let draft = ControlMethod<Draft, NoControlAnswer>(
        "chat.draft",
        summary: "Keep what is written and not sent; an empty text forgets it."
    )
    public static let block = ControlMethod<Switched, ConversationEntry>(
        "chat.block",
        summary: "Take no more messages of the other person, or take them again."
    )
    public static let report = ControlMethod<Report, NoControlAnswer>(
        "chat.report",
        summary: "Tell who runs the hub of the other person, or of one message."
    )
    /// Declining takes the conversation off the list.
    public static let answer = ControlMethod<Answer, ConversationEntry>(
        "chat.answer",
        summary: "Accept or decline the first message of somebody new."
    )

    // MARK: Messages

    public static let history = ControlMethod<History, Page>(
        "chat.history",
        summary: "Messages of a conversation, the oldest first; the newest page without `before`."
    )
    /// Answers as soon as the message has its place in the outbox; ``follow`` tells what becomes of it.
    public static let send = ControlMethod<Text, MessageEntry>("chat.send", summary: "Send a text.")
    /// As ``send``.
    public static let sendMedia = ControlMethod<Media, MessageEntry>(
        "chat.sendMedia",
        summary: "Send pictures, a view-once picture or a voice note."
    )
    /// As ``send``.
    public static let quote = ControlMethod<Quote, MessageEntry>(
        "chat.quote",
        summary: "Answer a signal, once in a conversation."
    )
    public static let resend = ControlMethod<Target, MessageEntry>(
        "chat.resend",
        summary: "Send a message that failed once more, under the same id."
    )
    public static let discard = ControlMethod<Target, NoControlAnswer>(
        "chat.discard",
        summary: "Throw away a message that waits or failed."
    )
    public static let recall = ControlMethod<Target, MessageEntry>(
        "chat.recall",
        summary: "Take back an own message, on both sides."
    )
    public static let remove = ControlMethod<Target, NoControlAnswer>(
        "chat.remove",
        summary: "Delete a message for this account alone."
    )
    public static let read = ControlMethod<Read, NoControlAnswer>(
        "chat.read",
        summary: "Note that a conversation was read."
    )
    public static let typing = ControlMethod<Switched, NoControlAnswer>(
        "chat.typing",
        summary: "Tell the other person that something is being written, or no more."
    )
    /// Looks at what this phone has, sealed messages too, and asks the hub for older clear ones.
    public static let search = ControlMethod<Search, Found>("chat.search", summary: "Find messages by their words.")

    // MARK: Media

    /// Fetches it where it is not here yet.
    public static let media = ControlMethod<Object, File>(
        "chat.media",
        summary: "The file of a picture or a voice note on this machine."
    )
    /// The picture is shown once: this call gives its bytes, and no other does. Pages use the route `/api/chat/flash` instead.
    public static let flash = ControlMethod<FlashTarget, File>(
        "chat.flash",
        summary: "Open a view-once picture into a file that is removed after a minute."
    )

    // MARK: People

    public static let link = ControlMethod<NoControlParameters, OwnLink>(
        "chat.link",
        summary: "The link by which others write to this account."
    )
    /// Who is known is answered without the hub.
    public static let contacts = ControlMethod<NoControlParameters, Contacts>(
        "chat.contacts",
        summary: "People of accepted conversations, requests that wait, and blocked people."
    )
    public static let safety = ControlMethod<Choice, Safety>(
        "chat.safety",
        summary: "The safety number of a conversation, to compare with the other person."
    )
    public static let verify = ControlMethod<Switched, Safety>(
        "chat.verify",
        summary: "Note that the safety number was compared, or that it was not."
    )
    /// After the other person's devices began anew, or to send in the clear: what sealing refuses without a deliberate act.
    public static let agree = ControlMethod<Agreement, Safety>(
        "chat.agree",
        summary: "Go on with a person whose keys began anew, or in the clear."
    )

    // MARK: Following

    /// Items as they happen, of one conversation or of all. A page that lost its place gets `reset` and asks again.
    public static let follow = ControlStream<Following, Item, NoControlAnswer>(
        "chat.follow",
        summary: "Report messages and changes as they come."
    )
    /// Lines of JSON into a file on this machine.
    public static let export = ControlMethod<Export, Exported>(
        "chat.export",
        summary: "Write everything that this account has said and received into a folder."
    )

    // MARK: Parameters

    public struct Choice: Codable, Hashable, Sendable {
        public var conversation: String

        public init(_ conversation: String) { self.conversation = conversation }
    }

    public struct Switched: Codable, Hashable, Sendable {
        public var conversation: String
        public var on: Bool

        public init(_ conversation: String, on: Bool) {
            self.conversation = conversation
            self.on = on
        }
    }

    public struct Person: Codable, Hashable, Sendable {
        /// An account's name at this hub, `tb_7`, a conversation's id, or a link as ``OwnLink/link``.
        public var person: String

        public init(_ person: String) { self.person = person }
    }

    public struct Draft: Codable, Hashable, Sendable {
        public var conversation: String
        /// At most 16 KiB.
        public var text: String

        public init(_ conversation: String, _ text: String) {
            self.conversation = conversation
            self.text = text
        }
    }

    public struct Report: Codable, Hashable, Sendable {
        public var conversation: String
        /// The other person's message; nil for the person.
        public var id: String?
        /// At most 2 KiB.
        public var reason: String

        public init(_ conversation: String, id: String?, reason: String) {
            self.conversation = conversation
            self.id = id
            self.reason = reason
        }
    }

    public struct Answer: Codable, Hashable, Sendable {
        public var conversation: String
        public var accept: Bool

        public init(_ conversation: String, accept: Bool) {
            self.conversation = conversation
            self.accept = accept
        }
    }

    public struct History: Codable, Hashable, Sendable {
        public var conversation: String
        /// Only messages before this place.
        public var before: Int64?
        /// 1 to 200; nil for 40.
        public var limit: Int?

        public init(_ conversation: String, before: Int64? = nil, limit: Int? = nil) {
            self.conversation = conversation
            self.before = before
            self.limit = limit
        }
    }

    public struct Text: Codable, Hashable, Sendable {
        public var conversation: String
        /// At most 16 KiB.
        public var text: String
        /// Chosen by the asker, so that asking again sends nothing twice; nil for a new one.
        public var id: String?

        public init(_ conversation: String, _ text: String, id: String? = nil) {
            self.conversation = conversation
            self.text = text
            self.id = id
        }
    }

    /// Files that become one message.
    public struct Media: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
            /// One picture, or up to nine.
            case image
            /// One picture that can be opened once.
            case flash
            /// One recording of at most 60 seconds.
            case voice
        }

        public var conversation: String
        public var kind: Kind
        /// Paths of files on this machine, or what `/api/chat/attachments` answered.
        public var files: [String]
        /// Seconds of a voice note where the recorder knows them; what the file itself says counts more.
        public var seconds: Int?
        /// Up to 64 heights of a voice note's bars, 0 to 100.
        public var waveform: [Int]?
        /// As ``Text/id``.
        public var id: String?

        public init(
            _ conversation: String,
            _ kind: Kind,
            _ files: [String],
            seconds: Int? = nil,
            waveform: [Int]? = nil,
            id: String? = nil
        ) {
            self.conversation = conversation
            self.kind = kind
            self.files = files
            self.seconds = seconds
            self.waveform = waveform
            self.id = id
        }
    }

    public struct Quote: Codable, Hashable, Sendable {
        public var conversation: String
        public var signal: String
        public var reply: String
        /// The words of the signal; nil where they are not known.
        public var content: String?
        /// The number of the received signal's record.
        public var receive: String?

        public init(
            _ conversation: String,
            signal: String,
            reply: String,
            content: String? = nil,
            receive: String? = nil
        ) {
            self.conversation = conversation
            self.signal = signal
            self.reply = reply
            self.content = content
            self.receive = receive
        }
    }

    public struct Target: Codable, Hashable, Sendable {
        public var conversation: String
        public var id: String

        public init(_ conversation: String, id: String) {
            self.conversation = conversation
            self.id = id
        }
    }

    public struct Read: Codable, Hashable, Sendable {
        public var conversation: String
        /// Nil for everything that is here.
        public var upTo: Int64?

        public init(_ conversation: String, upTo: Int64? = nil) {
            self.conversation = conversation
            self.upTo = upTo
        }
    }

    public struct Search: Codable, Hashable, Sendable {
        /// At most 512 bytes.
        public var text: String
        /// Nil for all conversations.
        public var conversation: String?
        /// The `next` of the answer before.
        public var before: String?
        /// 1 to 100; nil for 20.
        public var limit: Int?

        public init(_ text: String, in conversation: String? = nil, before: String? = nil, limit: Int? = nil) {
            self.text = text
            self.conversation = conversation
            self.before = before
            self.limit = limit
        }
    }

    public struct Object: Codable, Hashable, Sendable {
        public var conversation: String
        public var id: String
        /// The picture among several, from 0; nil for the first.
        public var index: Int?

        public init(_ conversation: String, id: String, index: Int? = nil) {
            self.conversation = conversation
            self.id = id
            self.index = index
        }
    }

    public struct FlashTarget: Codable, Hashable, Sendable {
        public var conversation: String
        public var id: String

        public init(_ conversation: String, id: String) {
            self.conversation = conversation
            self.id = id
        }
    }

    public struct Agreement: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Hashable, Sendable {
            /// The person's devices began anew, and that is right.
            case newKeys
            /// The next messages may be clear.
            case clear
        }

        public var conversation: String
        public var to: Kind

        public init(_ conversation: String, to: Kind) {
            self.conversation = conversation
            self.to = to
        }
    }

    public struct Following: Codable, Hashable, Sendable {
        /// Nil for all.
        public var conversation: String?

        public init(_ conversation: String? = nil) { self.conversation = conversation }
    }

    public struct Export: Codable, Hashable, Sendable {
        /// A folder on this machine, which is made where it is missing.
        public var folder: String

        public init(folder: String) { self.folder = folder }
    }
}
