import Capabilities
import CommandServer
import Storage

/// The features of this computer: those for phones, and those that any role has, each asked for its part.
struct CommandFeatures: Sendable {
    let all: [any CommandFeature]
    let set: FeatureSet

    /// - Parameter served: The features that bring nothing for phones.
    init(
        _ makers: [CommandFeatureMaker],
        serving served: [ServedFeatureMaker],
        in stores: FeatureStores,
        _ context: (FeatureStorage) -> CommandContext
    ) throws {
        all = try makers.map { try $0.make(in: stores, context) }
        let others = try served.map { try $0.make(in: stores) { context($0).common } }
        set = try FeatureSet(
            all.map { $0 as any ServedFeature } + others,
            makers.map(\.manifest) + served.map(\.manifest)
        )
    }

    var methods: [RemoteMethod] { all.flatMap(\.methods) }
    var keepers: [any ActivityKeeper] { all.compactMap(\.keeper) }

    var frames: [FrameRoute] { all.flatMap(\.frames) }

    func open(_ access: CommandAccess) {
        for feature in all { feature.open(access) }
    }
}
