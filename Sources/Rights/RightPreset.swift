/// A choice of rights that a person makes with one word. What it holds follows from the declarations, so that a new feature's rights fall
/// into it by themselves.
public enum RightPreset: String, Hashable, Sendable, Codable, CaseIterable {
    /// What only looks, beside what every phone has.
    case look
    /// Everything that the owner may do.
    case all

    /// The meaning in a person's words, after "Ada's phone can …".
    public var meaning: String {
        switch self {
        case .look: "look at what is on this computer, and change nothing"
        case .all: "do everything here that you can do"
        }
    }
}

extension RightsCatalogue {
    /// The rights of a preset, with their bases.
    public func rights(of preset: RightPreset) -> Set<Right> {
        switch preset {
        case .look: given(initial.union(declarations.filter(\.onlyLooks).map(\.right)))
        case .all: all
        }
    }
}
