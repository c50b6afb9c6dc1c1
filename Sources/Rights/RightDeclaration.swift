/// Whether a program that is authenticated only by a token of the bridge may have a right.
public enum TokenUse: Hashable, Sendable {
    case never
    /// A token has the right when the owner names it.
    case onRequest
    /// Every token has the right, unless the owner names others.
    case initial
}

/// The description of a right, declared by the feature that brings it.
public struct RightDeclaration: Hashable, Sendable {
    /// The right, whose name stands in records and on the wire.
    public let right: Right
    /// The right's meaning in a person's words, after "Ada's phone can …".
    public let meaning: String
    /// The highest risk of the methods that the right opens.
    public let risk: Risk
    /// The right's weight beside others, 0 to 100: lists begin with the lightest.
    public let weight: Int
    /// A name that stands for this right and others of its kind together: `file` for reading and writing.
    public let group: String?
    /// Whether every phone has it from its pairing on.
    public let isInitial: Bool
    /// Whether its methods only show what the owner works with at the computer, and change nothing there.
    public let onlyLooks: Bool
    /// The right that this one builds on: a phone that is given this one gets the base too, and loses this one with the base.
    public let base: Right?
    /// Whether a computer that cannot seal gets methods with this right over a direct connection only: a relay that changed them could
    /// do anything there.
    public let needsDirectWay: Bool
    /// Namespaces of methods of other programs, or single methods, that this right stands for where a computer knows nothing of rights.
    public let namespaces: Set<String>
    /// Whether tokens of the bridge may have the right.
    public let tokens: TokenUse

    public init(
        _ right: Right,
        _ meaning: String,
        risk: Risk,
        weight: Int,
        group: String? = nil,
        isInitial: Bool = false,
        onlyLooks: Bool = false,
        base: Right? = nil,
        needsDirectWay: Bool? = nil,
        namespaces: Set<String> = [],
        tokens: TokenUse = .never
    ) {
        self.right = right
        self.meaning = meaning
        self.risk = risk
        self.weight = weight
        self.group = group
        self.isInitial = isInitial
        self.onlyLooks = onlyLooks
        self.base = base
        self.needsDirectWay = needsDirectWay ?? (risk == .privileged)
        self.namespaces = namespaces
        self.tokens = tokens
    }
}

extension Right {
    package static let notification: Right = "notification"
    /// The right to all of a computer's notifications, and to settings for all of its devices.
    package static let notificationAll: Right = "notification.all"
}

extension RightDeclaration {
    /// The right to messages between phone and computer, from the pairing on. Phones have it from the start, and other programs'
    /// computers serve its methods.
    package static let notification = RightDeclaration(
        .notification,
        "be told what this computer tells its phones from now on, mark it read, and show you messages",
        risk: .mutating,
        weight: 20,
        isInitial: true,
        namespaces: ["notification", "system.notify"]
    )

    /// A right of its own, because programs' notifications hold texts of chats and codes for signing in, and those from before the
    /// pairing were not meant for this phone.
    package static let notificationAll = RightDeclaration(
        .notificationAll,
        "read what programs show on this computer and what was told before, delete it on every device, and set what is told",
        risk: .mutating,
        weight: 45,
        base: .notification
    )
}
