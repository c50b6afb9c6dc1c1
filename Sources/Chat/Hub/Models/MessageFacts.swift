/// The facts of a message that the hub acts on. Whoever parses the payload fills them in; the log never looks into a payload.
package struct MessageFacts: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Words alone; the quote of a signal, too.
        case text
        case image
        /// A view-once picture and the key of its object.
        case flash(key: String)
        /// The receiver saw a view-once picture, named by the client id of its message. A control message.
        case flashViewed(target: String)
        /// A message that the hub cannot read.
        case sealed
        /// Shows no bubble.
        case control
        case other
    }

    package let kind: Kind
    /// The words that a search finds; nil where they are the content itself, or where nothing is searched.
    package let searchText: String?
    /// Objects that the message refers to, but for that of a view-once picture.
    package let objectKeys: [String]
    /// The content that readers get in place of what was sent; nil for what was sent. A view-once picture's has no key.
    package let shownContent: [UInt8]?
    /// The words of a notification; empty for none.
    package let pushText: String
    /// The lists of devices that a sealed message is for; nil for a clear one, and for one in a form that is not ours.
    package let lists: ListNumbers?

    package init(
        _ kind: Kind,
        searchText: String? = nil,
        objectKeys: [String] = [],
        shownContent: [UInt8]? = nil,
        pushText: String = "",
        lists: ListNumbers? = nil
    ) {
        self.kind = kind
        self.searchText = searchText
        self.objectKeys = objectKeys
        self.shownContent = shownContent
        self.pushText = pushText
        self.lists = lists
    }

    /// Whether the message counts as unread and may be a preview. Control messages never do (B15).
    package var isCountable: Bool { MessageKind(kind).isCountable }
}

/// The kind of a message as it is kept. The numbers are on disk.
package enum MessageKind: Int, Hashable, Sendable {
    case text = 1
    case image, flash, flashViewed, sealed, control, other

    package init(_ kind: MessageFacts.Kind) {
        self =
            switch kind {
            case .text: .text
            case .image: .image
            case .flash: .flash
            case .flashViewed: .flashViewed
            case .sealed: .sealed
            case .control: .control
            case .other: .other
            }
    }

    package var isCountable: Bool { self != .control && self != .flashViewed }
    /// Whether a stranger may begin a conversation with it. The hub cannot tell what a sealed one holds, so its size is bounded instead.
    package var mayBegin: Bool { self == .text || self == .sealed }
}
