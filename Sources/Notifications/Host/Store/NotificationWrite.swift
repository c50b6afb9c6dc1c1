import Notifications
import Storage

/// One notification before it is a row.
struct NewNotificationRow: Hashable, Sendable {
    /// The id of a row that replaces none; nil: a random one.
    var id: String?
    var title: String
    var body: String
    var priority = NotificationPriority.normal
    var origin = NotificationOrigin.computer
    /// Empty where it is not known.
    var program = ""
    /// The row of the same program and key is replaced.
    var key: String?
    /// The row with this id is replaced, where it is there and of the same program.
    var replaces: String?
    /// Does not want to be noticed again where it replaces one.
    var isUpdate = false
    /// Is left out where it would replace none.
    var onlyReplaces = false
    var data: [String: String] = [:]
    var icon: String?
    var actions: [NotificationAction] = []
    var canReply = false
    var progress: Int?
    var image: [UInt8]?
    var isSilenced = false
    /// The only phone that it is for; empty: everyone.
    var device = ""
    /// The phone that it came from; empty: none.
    var sender = ""
    /// A program showed it on the desktop.
    var isMirrored = false
    /// Comes in silence in quiet hours.
    var respectsQuietHours = true

    /// A copy within the bounds: what is longer is cut, what does not fit otherwise is left out.
    var bounded: NewNotificationRow {
        func fits(_ name: String) -> Bool { !name.isEmpty && name.utf8.count <= NotificationLimits.name }
        var row = self
        let isBlank = title.allSatisfy(\.isWhitespace)
        row.title = (isBlank ? program.isEmpty ? "Tandem" : program : title).cut(to: NotificationLimits.title)
        row.body = body.cut(to: NotificationLimits.body)
        row.program = program.cut(to: NotificationLimits.name)
        row.key = key.flatMap { fits($0) ? $0 : nil }
        let fitting = data.filter {
            $0.key.utf8.count <= NotificationLimits.dataKey && $0.value.utf8.count <= NotificationLimits.dataValue
        }
        row.data = Dictionary(
            fitting.sorted { $0.key < $1.key }.prefix(NotificationLimits.data).map { ($0, $1) },
            uniquingKeysWith: { first, _ in first }
        )
        row.icon = icon.flatMap { fits($0) ? $0 : nil }
        row.actions = Array(actions.prefix(NotificationLimits.actions))
        row.progress = progress.map { min(max($0, 0), 100) }
        row.image = image.flatMap { $0.count <= NotificationLimits.image ? $0 : nil }
        return row
    }

    /// The indexed text for searches: title, program and body.
    var words: String {
        let text = [title, program, body].filter { !$0.isEmpty }.joined(separator: " ")
        return SearchText.indexed(text, limit: 4 << 10)
    }
}

/// A change of the store. Many are made in one transaction.
enum NotificationWrite: Sendable {
    case add(NewNotificationRow)
    /// - Parameter upTo: One that wanted to be noticed after this number stays as it is.
    case read([String], by: NotificationReader, upTo: Int64 = .max)
    /// A part of all, from the row after `from` on.
    case readAll(upTo: Int64, by: NotificationReader, from: Int64)
    /// Takes its arguments as ``read(_:by:upTo:)`` does.
    case delete([String], by: NotificationReader, upTo: Int64 = .max)
    case clear(OldNotifications, upTo: Int64, by: NotificationReader, from: Int64)
    /// The program or desktop that showed them takes no presses any more.
    case close([String])
    case closeAll(from: Int64)
    /// A phone has everything up to a number.
    case acknowledge(by: NotificationReader, device: String, epoch: String?, after: Int64)
    /// A phone that does not catch up was handed some.
    case told([Int64], device: String)
    case settings(NotificationSettingsChange)
    case allow(program: String, Bool)
    case register(device: String, PushRegistration?)
    /// Ends a registration that is over; another one that the phone gave since stays.
    case unregister(device: String, PushRegistration)
    case forget(device: String)
    case tidy

    /// Whether it changes what ``NotificationDatabase`` knows without asking the disk.
    var changesKnown: Bool {
        switch self {
        case .acknowledge, .settings, .allow, .register, .unregister, .forget: true
        case .add, .read, .readAll, .delete, .clear, .close, .closeAll, .told, .tidy: false
        }
    }
}

/// A row as a write left it.
struct NotificationChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// New, or wants to be noticed again.
        case alerted
        case changed
        case deleted
    }

    var kind: Kind
    var row: NotificationRow
}

/// The outcome of a write.
struct NotificationOutcome: Sendable {
    /// In the order of their numbers.
    var changes: [NotificationChange] = []
    /// How many of the named rows are, or were once, the reader's.
    var known = 0
    /// Where a part of all ended; nil: all of it is done.
    var next: Int64?
    /// The phone's number is not of this epoch, or too old.
    var isFromStart = false
    /// The number from which the phone goes on.
    var after: Int64 = 0
    /// The number as in ``NotificationChanges/history``.
    var history: Int64?
    /// False: there is no room for more programs.
    var isKept = true
}

/// The changes of one transaction, in the order of their numbers.
struct NotificationBatch: Sendable {
    /// One list for each write that changed something.
    var writes: [[NotificationChange]]
    /// Unread ones after the transaction, by the phone that they are for; under the empty name everyone's.
    var unread: [String: Int]
}
