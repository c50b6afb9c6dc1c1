/// All rights there are, as the features of a program declare them. A right that is not in it opens nothing and cannot be given.
public struct RightsCatalogue: Hashable, Sendable {
    /// By how much they give, the least first.
    public let declarations: [RightDeclaration]
    /// The rights of ``declarations``: all that can be given.
    public let all: Set<Right>
    private let byRight: [Right: Int]
    private let groups: [String: Set<Right>]

    /// - Parameter declarations: Of several for one right the first holds.
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

    /// What every phone may do from its pairing on. The rest is offered when it is accepted, and given by the owner.
    public var initial: Set<Right> { Set(declarations.filter(\.isInitial).map(\.right)) }

    /// What allowing a pairing without sealing allows. The rest needs a second yes.
    public var initialInTheClear: Set<Right> { Set(declarations.filter { !$0.needsDirectWay }.map(\.right)) }

    /// What tokens of the bridge may have at all.
    public var forTokens: Set<Right> { Set(declarations.filter { $0.tokens != .never }.map(\.right)) }

    /// Of these, what a token has where its owner names nothing.
    public var initialForTokens: Set<Right> { Set(declarations.filter { $0.tokens == .initial }.map(\.right)) }

    /// The right that gives the most. Nil for an empty catalogue.
    public var highest: Right? { declarations.last?.right }

    /// What is declared of a right; nil for one that is not in the catalogue.
    public subscript(right: Right) -> RightDeclaration? { byRight[right].map { declarations[$0] } }

    /// Those of `rights` that are declared, the least first.
    public func sorted(_ rights: some Sequence<Right>) -> [Right] {
        rights.compactMap { byRight[$0] }.sorted().map { declarations[$0].right }
    }

    /// `rights`, and those that they are parts of: what is given where these are.
    public func given(_ rights: Set<Right>) -> Set<Right> { rights.union(rights.compactMap { self[$0]?.base }) }

    /// `rights`, and those that are parts of them: what is taken back where these are.
    public func takenBack(_ rights: Set<Right>) -> Set<Right> {
        rights.union(declarations.filter { $0.base.map(rights.contains) ?? false }.map(\.right))
    }

    /// What a name stands for: one right, or those of a group such as `file`. Nil for a name that nothing has.
    public func named(_ name: String) -> Set<Right>? {
        let right = Right(rawValue: name)
        return byRight[right] == nil ? groups[name] : [right]
    }

    /// Reads names as a person gives them: each argument is a name or several, with commas between.
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

/// Why a list of rights could not be read. The description is shown to the person: what happened, then what to do.
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
