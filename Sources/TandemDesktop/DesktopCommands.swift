import CommandServer
import Rights

/// The one way to any method of a computer: the gate, and behind it the commands and the binary frames of all features.
struct DesktopCommands {
    let router: CommandRouter
    let frames: FrameDoor

    init(_ base: DesktopBase, of features: CommandFeatures, rights: RightsCatalogue, asking questions: RightQuestions) {
        let (stores, time) = (base.stores, base.configuration.time)
        let gate = CommandGate(
            registry: stores.registry,
            rights: rights,
            nonces: stores.nonces,
            limits: base.configuration.limits,
            time: time
        )
        let methods = features.methods + questions.methods
        let registry = RegistryMethods(registry: stores.registry, serving: methods)
        router = CommandRouter(
            methods: methods + registry.methods,
            logger: base.logger,
            gate: gate,
            answers: stores.answers,
            audit: stores.audit,
            time: time
        )
        frames = FrameDoor(
            features.frames,
            gate: gate,
            audit: stores.audit,
            outlet: base.reach.outlet,
            time: time,
            logger: base.logger
        )
    }
}
