import Capabilities
import CommandServer
import Commands
import Control
import Foundation
package import Kernel
package import Logging
import Pairing
import Rights
import Sealing
import ServiceLifecycle
import Signaling
import SignalingServer
package import Storage
import Transport

/// Builds the parts of a computer, each from those before it.
extension Desktop {
    /// - Throws: What is wrong with the state folder, its database or the certificate.
    package init(folder: StateFolder, configuration: DesktopConfiguration, logger: Logger) throws {
        let schema = Schema.desktop(with: configuration.features, serving: configuration.served)
        let state = try RoleState(folder, schema: schema) { DeviceID.certified(by: $0.did) }
        try self.init(state: state, configuration: configuration, logger: logger)
    }

    /// - Throws: What is wrong with the database or the certificate.
    package init(state: RoleState, configuration: DesktopConfiguration, logger: Logger) throws {
        (self.state, self.configuration, self.logger) = (state, configuration, logger)
        let base = try DesktopBase(state, configuration, logger)
        device = base.own
        features = try CommandFeatures(base, showingIn: tasks)
        let serving = try DesktopServing(base, serving: features.set)
        network = DesktopNetwork(base, at: serving)
        let records = PhoneRecords(
            store: base.stores.phones,
            rights: features.set.manifests.rights,
            deadlines: base.stores.deadlines
        )
        pairing = PairingHost(PairingHostDependencies(base, over: network, at: serving, records: records))
        listener = base.listener(admitting: records, pairing)
        let questions = RightQuestions()
        let commands = DesktopCommands(base, of: features, rights: records.rights, asking: questions)
        router = commands.router
        let streams = ActiveStreams()
        let phones = PhoneAdministration(
            .init(
                base: base,
                records: records,
                pairing: pairing,
                listener: listener,
                router: router,
                streams: streams,
                keepers: features.keepers,
                tasks: tasks
            )
        )
        self.phones = phones
        questions.open(phones)
        door = SessionDoor(
            records: records,
            router: router,
            streams: streams,
            sessions: base.reach.sessions,
            pairing: pairing,
            frames: commands.frames,
            forgotten: { await phones.forgotten(by: $0) },
            named: { await phones.named($0, $1) },
            logger: logger
        )
        clearHands = ClearDoor.Hands(
            records: records,
            router: router,
            methods: features.methods.map(\.declaration),
            pairing: pairing,
            server: serving.server,
            logger: logger
        )
        (server, unmetered) = (serving.server, serving.unmetered)
        (sessions, clearDoor, audit) = (base.reach.sessions, base.reach.clearDoor, base.stores.audit)
        features.open(
            CommandAccess(
                router: router,
                methods: features.methods.map(\.declaration),
                rights: records.rights,
                keepers: features.keepers,
                deviceID: device.deviceID,
                did: device.identity.did,
                name: device.info.name,
                address: configuration.server.address,
                accept: { [listener] in await listener.add($0) }
            )
        )
    }
}
