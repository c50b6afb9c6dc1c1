import Capabilities
import CommandServer
import Storage

/// The features of this computer: those for phones, and those that any role has, each asked for its part.
struct CommandFeatures: Sendable {
    let all: [any CommandFeature]
    let set: FeatureSet

    var methods: [RemoteMethod] { all.flatMap(\.methods) }
    var keepers: [any ActivityKeeper] { all.compactMap(\.keeper) }

    var frames: [FrameRoute] { all.flatMap(\.frames) }

    func open(_ access: CommandAccess) {
        for feature in all { feature.open(access) }
    }
}
