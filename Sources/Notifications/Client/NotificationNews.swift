import Kernel

/// A notification as a phone keeps it.
public struct KeptNotification: Hashable, Sendable, Identifiable {
    /// Identifies one notification among those of all computers.
    public struct ID: Hashable, Sendable {
        /// The computer's id.
        public var computer: String
        /// ``RemoteNotification/id``.
        public var notification: String

        public init(computer: String, notification: String) {
            self.computer = computer
            self.notification = notification
        }
    }

    /// The id of the computer that it is from.
    public var computer: String
    /// The notification as the person sees it: a mark that waits counts already.
    public var notification: RemoteNotification
    /// A mark waits for the computer.
    public var isWaiting: Bool
    /// Where it stands in the list, for asking what is older. Opaque.
    public var place: NotificationPlace

    public var id: ID { ID(computer: computer, notification: notification.id) }

    public init(computer: String, notification: RemoteNotification, isWaiting: Bool, place: NotificationPlace) {
        self.computer = computer
        self.notification = notification
        self.isWaiting = isWaiting
        self.place = place
    }
}

/// A place in a list of notifications, the newest first: a greater one stands before. It stands still while others come.
public struct NotificationPlace: Hashable, Sendable, Comparable, LosslessStringConvertible {
    let createdAt: Int64
    let position: Int64

    init(createdAt: Int64, position: Int64) {
        self.createdAt = createdAt
        self.position = position
    }

    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let createdAt = Int64(parts[0]), let position = Int64(parts[1]) else { return nil }
        self.init(createdAt: createdAt, position: position)
    }

    public var description: String { "\(createdAt).\(position)" }

    public static func < (one: Self, other: Self) -> Bool {
        (one.createdAt, one.position) < (other.createdAt, other.position)
    }
}

/// The changes to one computer's notifications on this phone, all made at one time.
public struct NotificationNews: Hashable, Sendable {
    /// The computer's id.
    public var computer: String
    /// New, or wants to be noticed again, and was not read.
    public var new: [KeptNotification] = []
    /// The ids in ``new`` for which a banner is wanted: not silenced, and not switched off on this phone.
    public var banners: Set<String> = []
    public var changed: [KeptNotification] = []
    /// Ids.
    public var removed: [String] = []
    /// How many were not read, as the person sees it.
    public var unread: Int = 0
    /// Something before this was not told here: the list has to be read anew.
    public var isIncomplete = false
    /// Marks that waited are done, or will not be done: also deletions, of which the list has no row any more.
    public var isSettled = false
    /// Counts the news of a phone, so that a reader sees where some are missing.
    var number: UInt64 = 0

    init(computer: String) { self.computer = computer }

    var isEmpty: Bool { new.isEmpty && changed.isEmpty && removed.isEmpty && !isIncomplete && !isSettled }
}

/// A part of the list that a phone keeps, the newest first.
public struct NotificationPage: Hashable, Sendable {
    public var items: [KeptNotification]
    /// There are older ones: ask for those behind the last one's ``KeptNotification/place``.
    public var hasMore: Bool
    /// How many there are that were asked for, on all pages.
    public var total: Int
    /// For a list of one computer: the number of the last change that it contains, for a mark of all of it. Nil for several computers, and
    /// where the computer does not number its changes.
    public var upTo: Int64?
    /// A mark waits for a computer that was asked for, also a deletion, of which there is no item any more.
    public var isWaiting: Bool

    public init(
        items: [KeptNotification],
        hasMore: Bool,
        total: Int,
        upTo: Int64? = nil,
        isWaiting: Bool = false
    ) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
        self.upTo = upTo
        self.isWaiting = isWaiting
    }
}
