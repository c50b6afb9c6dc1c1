package import Capabilities

/// A feature's half at a computer: what it serves there as at any role, and everything that it brings for phones. The composition asks for each
/// of these and knows nothing else of it.
package protocol CommandFeature: ServedFeature {
    var methods: [RemoteMethod] { get }
    /// The skill that keeps things going for phones; nil for a feature that does not.
    var keeper: (any ActivityKeeper)? { get }
    /// Binary messages of sessions.
    var frames: [FrameRoute] { get }
    /// Called once, when every feature is made and before any of them runs: for one that has a door of its own.
    func open(_ access: CommandAccess)
}

extension CommandFeature {
    package var methods: [RemoteMethod] { [] }
    package var keeper: (any ActivityKeeper)? { nil }
    package var frames: [FrameRoute] { [] }
    package func open(_ access: CommandAccess) {}
}
