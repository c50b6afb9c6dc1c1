/// A notification as its program described it, cut to the bounds below.
///
/// Everything in it is a claim of a program of this session: its name, its icon and its sender prove nothing.
package struct BusNotification: Hashable, Sendable {
    /// In bytes of UTF-8, as are the other limits.
    package static let titleLimit = 512
    package static let bodyLimit = 16 << 10
    package static let nameLimit = 128
    package static let actionLimit = 16
    /// The limit of icon names and of paths.
    package static let pathLimit = 4096

    /// The key that stands for pressing the notification itself. Source: the Desktop Notifications Specification.
    package static let defaultAction = "default"
    /// The key of a button that asks for a text. Source: Plasma's extension of the specification.
    package static let replyAction = "inline-reply"

    package var programName: String
    /// A name of the icon theme, a path or a `file:` URL; nil where the program gave none.
    package var icon: String?
    /// One line.
    package var title: String
    /// Plain text of any number of lines.
    package var body: String
    /// The body as its program sent it, for a service that takes no markup; nil where it is ``body`` as well.
    package var asSent: String?
    /// Buttons, and ``defaultAction`` where the notification itself can be pressed. Each key once.
    package var actions: [BusAction]
    package var urgency: BusUrgency
    /// It is not kept once it was shown, for example a new volume.
    package var isTransient: Bool
    /// It stays when a button is pressed.
    package var isResident: Bool
    /// For example `im.received`.
    package var category: String?
    /// The name of the program's desktop file without `.desktop`.
    package var desktopEntry: String?
    package var image: BusImage?
    /// The time after which it closes by itself; 0 is never, nil leaves it to the service.
    package var expireMilliseconds: Int32?
    /// Progress, 0 to 100.
    package var value: Int?
    /// Notifications of one program with the same key replace each other on the screen.
    package var syncKey: String?
    /// It makes no sound, whatever the service does otherwise.
    package var isSilent: Bool
    /// Tandem presents it to the person at this desktop: what a computer told a phone that runs here, also through the browser of its page,
    /// or what this computer was sent or says itself. So it is not to be told again.
    package var isPresented: Bool
    /// Its buttons can be pressed on the desktop alone.
    package var onlyDesktopActs: Bool
    /// The unique name of the sender on the bus; empty for one that is to be shown.
    package var senderName: String

    /// - Parameters:
    ///   - title: Cut to ``titleLimit`` and to one line.
    ///   - body: Plain text; ``MarkupText`` makes it of a program's markup. Cut to ``bodyLimit``.
    ///   - asSent: The body as its program sent it, where it may be markup. Cut like the body.
    ///   - actions: Beyond ``actionLimit``, and with a key that was there before: left out.
    package init(
        programName: String,
        icon: String? = nil,
        title: String,
        body: String = "",
        asSent: String? = nil,
        actions: [BusAction] = [],
        urgency: BusUrgency = .normal,
        isTransient: Bool = false,
        isResident: Bool = false,
        category: String? = nil,
        desktopEntry: String? = nil,
        image: BusImage? = nil,
        expireMilliseconds: Int32? = nil,
        value: Int? = nil,
        syncKey: String? = nil,
        isSilent: Bool = false,
        isPresented: Bool = false,
        onlyDesktopActs: Bool = false,
        senderName: String = ""
    ) {
        self.programName = BoundedText.line(programName, limit: Self.nameLimit)
        self.icon = Self.short(icon, limit: Self.pathLimit)
        self.title = BoundedText.line(title, limit: Self.titleLimit)
        let plain = BoundedText.cut(body, limit: Self.bodyLimit)
        self.body = plain
        self.asSent = asSent.map { BoundedText.cut($0, limit: Self.bodyLimit) }.flatMap { $0 == plain ? nil : $0 }
        var keys: Set<String> = []
        self.actions = Array(actions.filter { keys.insert($0.key).inserted }.prefix(Self.actionLimit))
        self.urgency = urgency
        self.isTransient = isTransient
        self.isResident = isResident
        self.category = Self.short(category, limit: Self.nameLimit)
        self.desktopEntry = Self.short(desktopEntry, limit: Self.nameLimit)
        self.image = image
        self.expireMilliseconds = expireMilliseconds.flatMap { $0 < 0 ? nil : $0 }
        self.value = value.map { min(max($0, 0), 100) }
        self.syncKey = Self.short(syncKey, limit: Self.nameLimit)
        self.isSilent = isSilent
        self.isPresented = isPresented
        self.onlyDesktopActs = onlyDesktopActs
        self.senderName = BoundedText.cut(senderName, limit: 255)
    }

    /// Its program takes a text as the answer.
    package var canReply: Bool { actions.contains { $0.key == Self.replyAction } }

    /// The memory it takes, in bytes, about.
    package var byteCount: Int {
        512 + title.utf8.count + body.utf8.count + (asSent?.utf8.count ?? 0) + (image?.byteCount ?? 0)
            + actions.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.label.utf8.count }
    }

    private static func short(_ text: String?, limit: Int) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return BoundedText.line(text, limit: limit)
    }
}

/// A button of a notification.
package struct BusAction: Hashable, Sendable {
    /// Bytes of a key and of a label.
    package static let textLimit = 128

    /// The key that its program is told when it is pressed.
    package let key: String
    package let label: String

    /// - Parameter label: Cut to ``textLimit``.
    /// - Returns: Nil where the key is empty or longer than ``textLimit``: cut, its program would not know it.
    package init?(key: String, label: String) {
        guard !key.isEmpty, key.utf8.count <= Self.textLimit else { return nil }
        self.key = key
        self.label = BoundedText.line(label, limit: Self.textLimit)
    }
}

/// How much a notification asks for attention. Source: the Desktop Notifications Specification, "Urgency Levels".
package enum BusUrgency: UInt8, Hashable, Sendable, CaseIterable {
    case low = 0
    case normal = 1
    case critical = 2
}
