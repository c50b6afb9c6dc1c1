/// The list of all rights that a program's features declare. A right that is not in it opens nothing and cannot be given.
public struct RightsCatalogue: Hashable, Sendable {
    /// The declarations by weight, the lightest first.
    public let declarations: [RightDeclaration]
    /// The rights of ``declarations``, which are all that can be given.
    public let all: Set<Right>
    private let byRight: [Right: Int]
    private let groups: [String: Set<Right>]

    /// - Parameter declarations: The declarations; the first of several for one right holds.
    public init(_ declarations: [RightDeclaration]) {
        var seen: Set<Right> = []
        let sorted = declarations.filter { seen.insert($0.right).inserted }
            .sorted { ($0.weight, $0.right.rawValue) < ($1.weight, $1.right.rawValue) }
        self.declarations = sorted
        byRight = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.right, $0) })
        all = seen
        groups = sorted.reduce(into: [:]) { groups, declaration in
            if let group = declaration.group { groups[group, default: []].insert(declaration.right) }
        }
    }

    /// The rights that every phone has from its pairing on. The others are offered when it is accepted, and given by the owner.
    public var initial: Set<Right> { Set(declarations.filter(\.isInitial).map(\.right)) }

    /// The rights that come with allowing a pairing without sealing. The others need a second yes.
    public var initialInTheClear: Set<Right> { Set(declarations.filter { !$0.needsDirectWay }.map(\.right)) }

    /// The rights that tokens of the bridge may have at all.
    public var forTokens: Set<Right> { Set(declarations.filter { $0.tokens != .never }.map(\.right)) }

    /// The rights that a token of the bridge has where its owner names none.
    public var initialForTokens: Set<Right> { Set(declarations.filter { $0.tokens == .initial }.map(\.right)) }

    /// The right with the greatest weight. Nil for an empty catalogue.
    public var highest: Right? { declarations.last?.right }

    /// The declaration of a right; nil for one that is not in the catalogue.
    public subscript(right: Right) -> RightDeclaration? { byRight[right].map { declarations[$0] } }

    /// The declared rights among `rights`, the lightest first.
    public func sorted(_ rights: some Sequence<Right>) -> [Right] {
        rights.compactMap { byRight[$0] }.sorted().map { declarations[$0].right }
    }

    /// The rights to give together with `rights`: these and their bases.
    public func given(_ rights: Set<Right>) -> Set<Right> { rights.union(rights.compactMap { self[$0]?.base }) }

    /// The rights to take back together with `rights`: these and those whose base is among them.
    public func takenBack(_ rights: Set<Right>) -> Set<Right> {
        rights.union(declarations.filter { $0.base.map(rights.contains) ?? false }.map(\.right))
    }

    /// The rights that a name stands for: one right, or those of a group such as `file`. Nil for an unknown name.
    public func named(_ name: String) -> Set<Right>? {
        let right = Right(rawValue: name)
        return byRight[right] == nil ? groups[name] : [right]
    }

    /// Reads names as a person gives them: each argument is one name, or several with commas between.
    ///
    /// - Throws: ``RightsError``, naming the first unknown one.
    public func list(_ texts: some Sequence<String>) throws(RightsError) -> Set<Right> {
        var rights: Set<Right> = []
        for text in texts {
            for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
                guard let named = named(String(name)) else {
                    throw .unknown(String(name.prefix(Right.nameLimit)), known: names)
                }
                rights.formUnion(named)
            }
        }
        guard !rights.isEmpty else { throw .none(known: names) }
        return rights
    }

    /// The rights' names in order, then those of groups.
    private var names: [String] { declarations.map(\.right.rawValue) + groups.keys.sorted() }
}

/// The reason why a list of rights could not be read. The description is shown to the person: what happened, then what to do.
public enum RightsError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown(String, known: [String])
    case none(known: [String])

    public var description: String {
        switch self {
        case .unknown(let name, let known): "There is no right called \(name). \(Self.advice(known))"
        case .none(let known): "No right is named. \(Self.advice(known))"
        }
    }

    private static func advice(_ known: [String]) -> String {
        "Use one or more of: " + known.joined(separator: ", ") + "."
    }
}
