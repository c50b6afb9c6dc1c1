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
        self.needsDirectWay = needsDirectWay ?? (risk == .privileged)
        self.namespaces = namespaces
        self.tokens = tokens
    }
}

extension Right {
    package static let notification: Right = "notification"
}

extension RightDeclaration {
    /// Messages between phone and computer. Phones have had it from their pairing on since the first version, and other programs'
    /// computers serve its methods.
    package static let notification = RightDeclaration(
        .notification,
        "be told what happens at this computer, mark it read or delete it, set what is told, and show you messages",
        risk: .mutating,
        weight: 20,
        isInitial: true,
        namespaces: ["notification", "system.notify"]
    )
}
