/// Whether a program that proves itself with a token of the bridge, and no more, may have a right.
public enum TokenUse: Hashable, Sendable {
    case never
    /// When the owner names it.
    case onRequest
    /// Every token has it, unless the owner names others.
    case initial
}

/// What a right amounts to, as the feature says that brings it.
public struct RightDeclaration: Hashable, Sendable {
    /// Whose name stands in records and on the wire.
    public let right: Right
    /// In a person's words, after "Ada's phone can …".
    public let meaning: String
    /// The highest risk of what the right opens.
    public let risk: Risk
    /// How much it gives beside others, 0 to 100: lists begin with the least.
    public let weight: Int
    /// A name that stands for this right and others of its kind together: `file` for reading and writing.
    public let group: String?
    /// Whether every phone has it from its pairing on.
    public let isInitial: Bool
    /// The right that this one is a part of: with this one a phone is given that one, and it loses this one with that one.
    public let base: Right?
    /// Whether methods with this right go to a computer that cannot seal only on a direct way: a relay that changes them could do
    /// there anything it likes.
    public let needsDirectWay: Bool
    /// Namespaces of methods of other programs, or single methods, that this right stands for where a computer knows nothing of rights.
    public let namespaces: Set<String>
    /// Whether tokens may have it.
    public let tokens: TokenUse

    public init(
        _ right: Right,
        _ meaning: String,
        risk: Risk,
        weight: Int,
        group: String? = nil,
        isInitial: Bool = false,
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
        self.base = base
        self.needsDirectWay = needsDirectWay ?? (risk == .privileged)
        self.namespaces = namespaces
        self.tokens = tokens
    }
}

extension Right {
    package static let notification: Right = "notification"
    /// All of a computer's notifications, and what holds for all of its devices.
    package static let notificationAll: Right = "notification.all"
}

extension RightDeclaration {
    /// Messages between phone and computer, from the pairing on. Phones have it from the start, and other programs' computers serve its
    /// methods.
    package static let notification = RightDeclaration(
        .notification,
        "be told what this computer tells its phones from now on, mark it read, and show you messages",
        risk: .mutating,
        weight: 20,
        isInitial: true,
        namespaces: ["notification", "system.notify"]
    )

    /// What programs show holds texts of chats and codes for signing in, and what was told before the pairing was not meant for this phone.
    package static let notificationAll = RightDeclaration(
        .notificationAll,
        "read what programs show on this computer and what was told before, delete it on every device, and set what is told",
        risk: .mutating,
        weight: 45,
        base: .notification
    )
}
