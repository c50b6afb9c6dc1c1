import Capabilities
import CommandServer
import Commands
import Control
import Transport

extension CommandFeatureMaker {
    /// The feature with every run of its methods noted.
    func noting(in log: EffectLog) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) {
            NotedFeature(feature: try make($0), log: log)
        }
    }
}

private struct NotedFeature: CommandFeature {
    let feature: any CommandFeature
    let log: EffectLog

    var methods: [RemoteMethod] {
        feature.methods.map { method in
            RemoteMethod(method.declaration, named: method.name) { [log] params, caller in
                log.note("run \(method.name)")
                return try await method.run(params, caller)
            }
        }
    }

    var keeper: (any ActivityKeeper)? { feature.keeper }
    var frames: [FrameRoute] { feature.frames }
    func run() async { await EffectLog.$isUnasked.withValue(true) { await feature.run() } }
    func close() async { await feature.close() }
}
