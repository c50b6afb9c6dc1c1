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
        self.state = state
        self.configuration = configuration
        self.logger = logger
        let own = OwnDevice(identity: state.identity, deviceID: state.deviceID, info: configuration.device)
        device = own
        let stores = try DesktopStores(state, configuration, logger)
        let reach = DesktopReach(stores, configuration, logger)
        features = try CommandFeatures(state.features, stores, reach, configuration, tasks, logger)
        let serving = try DesktopServing(state, own, features.set, configuration, logger)
        network = DesktopNetwork(
            configuration,
            own: own,
            addresses: serving.addresses,
            dialer: serving.dialer,
            sessions: reach.sessions,
            logger: logger
        )
        let records = PhoneRecords(store: stores.phones, rights: features.set.manifests.rights)
        pairing = PairingHost(
            PairingHostDependencies(own, stores, reach.sessions, network, serving, records, configuration, logger)
        )
        listener = SessionListener(
            identity: state.identity,
            store: stores.sessions,
            authorizer: PairedPhonesAuthorizer(phones: stores.phones, pairing: pairing, time: configuration.time),
            timing: configuration.timing,
            time: configuration.time,
            logger: logger
        )
        let gate = CommandGate(stores, records, configuration)
        router = CommandRouter(stores, gate, serving: features.methods, configuration, logger)
        let streams = ActiveStreams()
        let phones = PhoneAdministration(
            .init(stores, reach, records, pairing, listener, router, streams, features.keepers, configuration, logger)
        )
        self.phones = phones
        door = SessionDoor(
            records: records,
            router: router,
            streams: streams,
            sessions: reach.sessions,
            pairing: pairing,
            frames: FrameDoor(features.frames, stores, gate, reach, configuration, logger),
            forgotten: { await phones.forgotten(by: $0) },
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
        (sessions, clearDoor, audit) = (reach.sessions, reach.clearDoor, stores.audit)
        features.open(CommandAccess(own, router, features, records, listener))
    }
}
