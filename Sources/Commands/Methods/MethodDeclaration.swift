public import Kernel
public import Rights

/// All that both ends know of a method besides its types: who may call it, and how it is treated on the way.
public struct MethodDeclaration: Sendable {
    /// In full, for example `clipboard.get`.
    public let name: String
    /// Other names under which existing programs call it.
    public let otherNames: [String]
    /// Nil: every paired phone may.
    public let permission: Permission?
    /// The worst that a call can do. Decides what is logged and what needs a signature outside a session.
    public let risk: Risk
    /// One line for people: what it does.
    public let summary: String
    /// Whether it may wait on the phone's disk for a computer that is away: it changes something, and means the same later.
    public let mayWait: Bool
    /// Whether doing it a second time is as good as doing it only then, however far the first time came. A computer that stopped in the
    /// middle does it again instead of answering that the outcome is unknown.
    public let isRepeatable: Bool
    /// The parameter that names what it goes on with, such as a terminal's id. A device in the clear has a rate of its own for these
    /// methods, because a person types more than a hundred keys a minute.
    public let continues: String?
    /// Whether calls of one device have to be done one after the other, in the order they came in.
    public let isOrdered: Bool
    /// Reads parameters as the method does. Throws what the computer would refuse with: for commands that wait, which would be refused
    /// only tomorrow.
    public let check: @Sendable (JSONValue) throws -> Void

    public init(
        _ name: String,
        otherNames: [String] = [],
        permission: Permission?,
        risk: Risk,
        mayWait: Bool = false,
        isRepeatable: Bool = false,
        continues: String? = nil,
        isOrdered: Bool = false,
        summary: String,
        check: @escaping @Sendable (JSONValue) throws -> Void = { _ in }
    ) {
        self.name = name
        self.otherNames = otherNames
        self.permission = permission
        self.risk = risk
        self.mayWait = mayWait
        self.isRepeatable = isRepeatable
        self.continues = continues
        self.isOrdered = isOrdered
        self.summary = summary
        self.check = check
    }

    /// ``name``, then the others.
    public var allNames: [String] { [name] + otherNames }
}

extension MethodDeclaration {
    /// Lists the methods that a computer serves and the permission that each needs. Source: `docs/protocol.md`, "Registry".
    package static let registryList = MethodDeclaration(
        "registry.list",
        otherNames: ["skill.list"],
        permission: nil,
        risk: .safe,
        summary: "Lists what this computer serves and what each method needs."
    )
}
