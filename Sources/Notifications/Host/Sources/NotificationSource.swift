package import Notifications

/// The notifications that programs show on the computer's desktop, as the feature hears them and acts on them. An adapter of the system
/// serves it.
///
/// Everything that programs say is their claim: texts are plain already, and of any length.
package protocol NotificationSource: Sendable {
    /// The events from now on: first whether anything can be heard. Ends when the source is closed.
    func events() async -> any AsyncSequence<SourceEvent, Never> & Sendable

    /// Takes one from the screen. Does nothing for one that is not there any more.
    func close(_ id: SourceNotification.ID) async

    /// Presses a button as if the person at the computer had, or sends an answer in words.
    ///
    /// - Throws: An error whose description says why it cannot be done.
    func act(_ id: SourceNotification.ID, action: String?, reply: String?) async throws

    /// Shows something to the person at the computer. It does not come back as an event.
    ///
    /// - Parameter id: An earlier banner, whose place it takes.
    /// - Returns: Its id, for ``close(_:)``.
    /// - Throws: When there is no desktop session to show it on.
    func show(_ banner: DesktopBanner, replacing id: SourceNotification.ID?) async throws -> SourceNotification.ID
}

/// A banner for the person at the computer.
package struct DesktopBanner: Hashable, Sendable {
    package var title: String
    package var body: String
    package var priority: NotificationPriority
    /// For people: the phone that it comes from.
    package var sender: String?

    package init(title: String, body: String, priority: NotificationPriority, sender: String? = nil) {
        self.title = title
        self.body = body
        self.priority = priority
        self.sender = sender
    }
}

/// An event of the desktop's notifications.
package enum SourceEvent: Hashable, Sendable {
    /// They are heard from now on. Ids from before mean nothing any more.
    ///
    /// - Parameters:
    ///   - reason: In a sentence, why buttons cannot be pressed from elsewhere; nil where they can.
    ///   - isSeen: Whether what is shown there comes before a person. False where the service is Tandem's own, which stands in where there
    ///     is none and has no screen.
    case available(canAct: Bool, reason: String?, isSeen: Bool = true)
    /// - Parameter reason: In a sentence, why they cannot be heard, and what to do.
    case unavailable(reason: String)
    case shown(SourceNotification)
    case closed(SourceNotification.ID, SourceEnd)
}

/// Why one is not on the desktop any more.
package enum SourceEnd: Hashable, Sendable {
    /// Its time was over; no person saw to it.
    case expired
    /// The person at the computer closed it, pressed a button of it, or answered.
    case dismissed
    /// Its program took it back.
    case withdrawn
}

/// A notification that a program shows on the desktop.
package struct SourceNotification: Hashable, Sendable {
    /// The id that the desktop's service gives; a notification that takes the place of another gets the same one.
    package typealias ID = UInt32

    package var id: ID
    package var program: String
    package var title: String
    package var body: String
    package var priority: NotificationPriority
    /// The program's key: one under the same key takes the place of another.
    package var key: String?
    /// 0 to 100.
    package var progress: Int?
    package var icon: String?
    package var actions: [NotificationAction]
    package var canReply: Bool
    /// A PNG or JPEG of at most ``NotificationLimits/image`` bytes, which the adapter made of what the program gave.
    package var picture: [UInt8]?

    package init(
        id: ID,
        program: String,
        title: String,
        body: String,
        priority: NotificationPriority = .normal,
        key: String? = nil,
        progress: Int? = nil,
        icon: String? = nil,
        actions: [NotificationAction] = [],
        canReply: Bool = false,
        picture: [UInt8]? = nil
    ) {
        self.id = id
        self.program = program
        self.title = title
        self.body = body
        self.priority = priority
        self.key = key
        self.progress = progress
        self.icon = icon
        self.actions = actions
        self.canReply = canReply
        self.picture = picture
    }
}
