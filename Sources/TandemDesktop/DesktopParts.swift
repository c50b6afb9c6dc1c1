import Capabilities
import CommandServer
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import Signaling
import SignalingServer
import Storage
import Transport

extension DesktopConfiguration {
    /// Makes the own server's parameters from the owner's settings, and from what it knows of this computer.
    func server(
        for own: OwnDevice,
        at addresses: DesktopAddresses,
        unmetered: UnmeteredKeys,
        serving routes: RouteSet
    ) -> SignalingServerConfiguration {
        var server = server
        server.webSocketRoutes += routes.webSockets
        server.httpRoutes += routes.http
        server.version = version
        server.localPeer = LocalPeer(
            id: own.deviceID,
            deviceName: device.name,
            platform: device.platform.rawValue,
            ipAddress: addresses.localAddress ?? ""
        )
        // With its port, which is another one where the way here is forwarded.
        if let advertisedURL, let host = advertisedURL.host(percentEncoded: false) {
            let port = advertisedURL.port ?? (advertisedURL.scheme == "wss" ? 443 : 80)
            server.names.append("\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)")
        }
        server.isUnmetered = { unmetered.contains($0) }
        let deviceID = own.deviceID
        server.keepsMail = { unmetered.keepsMail($0, deviceID: deviceID) }
        return server
    }
}

extension DesktopNetwork {
    /// Holds the alias of a typed code at this computer's server and at the hub.
    nonisolated func aliasGate(through dialer: OwnServerDialer) -> SignalClientAliasGate {
        SignalClientAliasGate(
            addresses: { [addresses] in await addresses.aliasServers() },
            makeClient: { [configuration, own, access] address in
                // At a hub without a proof: old ones keep a proven id for its key, and these digits will be another device's.
                guard address != configuration.hubURL else {
                    return access.makeClient(nil, nil)
                }
                return access.makeClient(own.identity) { try await dialer.dial($0) }
            },
            time: configuration.time
        )
    }
}

extension DesktopNetwork {
    /// The servers at which phones that speak only the documented wire are met.
    nonisolated var clearServers: [ClearDoor.Server] {
        [ClearDoor.Server(client: local, kind: .lan)] + (hub.map { [ClearDoor.Server(client: $0, kind: .relay)] } ?? [])
    }
}

/// A computer's own server, and what it is met by.
struct DesktopServing: Sendable {
    let server: any OwnServer
    let dialer: OwnServerDialer
    let addresses: DesktopAddresses
    let unmetered: UnmeteredKeys

    /// - Throws: What is wrong with the certificate or with a feature's route.
    init(
        _ state: RoleState,
        _ own: OwnDevice,
        _ features: FeatureSet,
        _ configuration: DesktopConfiguration,
        _ logger: Logger
    ) throws {
        unmetered = UnmeteredKeys(own: own.identity.did)
        addresses = DesktopAddresses(configuration: configuration, port: LatestValue(nil))
        let served = configuration.server(
            for: own,
            at: addresses,
            unmetered: unmetered,
            serving: try features.serverRoutes()
        )
        server =
            try configuration.makeServer?(served)
            ?? SignalingServer(
                configuration: served,
                database: state.database,
                logger: logger,
                time: configuration.time,
                metrics: configuration.metrics
            )
        dialer = OwnServerDialer(server: server)
    }
}

extension CommandFeatures {
    /// - Parameter tasks: Where what the owner should see at once is shown.
    /// - Throws: What a feature cannot be made without.
    init(
        _ storage: FeatureStores,
        _ stores: DesktopStores,
        _ reach: DesktopReach,
        _ configuration: DesktopConfiguration,
        _ tasks: OwnedTasks,
        _ logger: Logger
    ) throws {
        let notices = ActivityNotices(
            record: { [phones = stores.phones] in phones.record($0) },
            notifier: configuration.notifier,
            tasks: tasks,
            logger: logger,
            time: configuration.time
        )
        let announcements = Announcements()
        try self.init(configuration.features, serving: configuration.served, in: storage) {
            CommandContext(
                storage: $0,
                outlet: reach.outlet,
                callers: reach.callers,
                observer: notices,
                announcements: announcements,
                settings: configuration.featureSettings,
                version: configuration.version,
                time: configuration.time,
                logger: logger
            )
        }
    }
}

extension PairingHostDependencies {
    init(
        _ own: OwnDevice,
        _ stores: DesktopStores,
        _ sessions: PeerSessions,
        _ network: DesktopNetwork,
        _ serving: DesktopServing,
        _ records: PhoneRecords,
        _ configuration: DesktopConfiguration,
        _ logger: Logger
    ) {
        self.init(
            own: own,
            gates: network.clients.map { SignalClientPairingGate($0, category: .desktop) },
            aliasGate: network.aliasGate(through: serving.dialer),
            bus: PairingMessageBus(),
            phones: stores.phones,
            guesses: stores.guesses,
            initialRights: records.rights.initial,
            iceServers: configuration.iceServers,
            addresses: { [addresses = serving.addresses] in await addresses.forCode() },
            sendForget: {
                if let peer = $0.sessionPeer { await sessions.end(with: peer, saying: PairingForget.message) }
            },
            acceptsEverybody: configuration.acceptsEverybody,
            time: configuration.time,
            logger: logger
        )
    }
}

extension CommandGate {
    convenience init(_ stores: DesktopStores, _ records: PhoneRecords, _ configuration: DesktopConfiguration) {
        self.init(
            registry: stores.registry,
            rights: records.rights,
            nonces: stores.nonces,
            limits: configuration.limits,
            time: configuration.time
        )
    }
}

extension CommandRouter {
    init(
        _ stores: DesktopStores,
        _ gate: CommandGate,
        serving methods: [RemoteMethod],
        _ configuration: DesktopConfiguration,
        _ logger: Logger
    ) {
        self.init(
            methods: methods + RegistryMethods(registry: stores.registry, serving: methods).methods,
            logger: logger,
            gate: gate,
            answers: stores.answers,
            audit: stores.audit,
            time: configuration.time
        )
    }
}

extension FrameDoor {
    convenience init(
        _ routes: [FrameRoute],
        _ stores: DesktopStores,
        _ gate: CommandGate,
        _ reach: DesktopReach,
        _ configuration: DesktopConfiguration,
        _ logger: Logger
    ) {
        self.init(
            routes,
            gate: gate,
            audit: stores.audit,
            outlet: reach.outlet,
            time: configuration.time,
            logger: logger
        )
    }
}

extension PhoneAdministration.Parts {
    init(
        _ stores: DesktopStores,
        _ reach: DesktopReach,
        _ records: PhoneRecords,
        _ pairing: PairingHost,
        _ listener: SessionListener,
        _ router: CommandRouter,
        _ streams: ActiveStreams,
        _ keepers: [any ActivityKeeper],
        _ configuration: DesktopConfiguration,
        _ logger: Logger
    ) {
        self.init(
            records: records,
            pairing: pairing,
            sessions: reach.sessions,
            listener: listener,
            store: stores.sessions,
            router: router,
            streams: streams,
            clearDoor: reach.clearDoor,
            keepers: keepers,
            audit: stores.audit,
            time: configuration.time,
            acceptsEverybody: configuration.acceptsEverybody,
            logger: logger
        )
    }
}

extension CommandAccess {
    /// The access of features with a door of their own to this computer.
    init(
        _ own: OwnDevice,
        _ router: CommandRouter,
        _ features: CommandFeatures,
        _ records: PhoneRecords,
        _ listener: SessionListener
    ) {
        self.init(
            router: router,
            methods: features.methods.map(\.declaration),
            rights: records.rights,
            keepers: features.keepers,
            deviceID: own.deviceID,
            did: own.identity.did,
            name: own.info.name,
            accept: { await listener.add($0) }
        )
    }
}
