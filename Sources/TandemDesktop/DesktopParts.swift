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
    /// How others on the network find this computer.
    func advertisement(of own: OwnDevice, port: UInt16) throws -> ServiceAdvertisement {
        try ServiceAdvertisement(deviceID: own.deviceID, did: own.identity.did, name: device.name, port: port)
    }

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
    init(_ base: DesktopBase, serving features: FeatureSet) throws {
        let configuration = base.configuration
        unmetered = UnmeteredKeys(own: base.own.identity.did)
        addresses = DesktopAddresses(configuration: configuration, port: LatestValue(nil))
        let served = configuration.server(
            for: base.own,
            at: addresses,
            unmetered: unmetered,
            serving: try features.serverRoutes()
        )
        server =
            try configuration.makeServer?(served)
            ?? SignalingServer(
                configuration: served,
                database: base.state.database,
                logger: base.logger,
                time: configuration.time,
                metrics: configuration.metrics
            )
        dialer = OwnServerDialer(server: server)
    }
}

extension CommandFeatures {
    /// - Parameter tasks: Where what the owner should see at once is shown.
    /// - Throws: What a feature cannot be made without.
    init(_ base: DesktopBase, showingIn tasks: OwnedTasks) throws {
        let (configuration, logger) = (base.configuration, base.logger)
        let notices = ActivityNotices(
            record: { [phones = base.stores.phones] in phones.record($0) },
            notifier: configuration.notifier,
            tasks: tasks,
            logger: logger,
            time: configuration.time
        )
        let (stores, announcements) = (base.state.features, Announcements())
        func common(_ storage: FeatureStorage) -> FeatureContext {
            FeatureContext(
                storage: storage,
                settings: configuration.featureSettings,
                version: configuration.version,
                time: configuration.time,
                logger: logger
            )
        }
        let all = try configuration.features.map {
            try $0.make(in: stores) {
                CommandContext(
                    common($0),
                    outlet: base.reach.outlet,
                    callers: base.reach.callers,
                    observer: notices,
                    announcements: announcements
                )
            }
        }
        // Those that bring nothing for phones.
        let others = try configuration.served.map { try $0.make(in: stores, common) }
        let manifests = configuration.features.map(\.manifest) + configuration.served.map(\.manifest)
        self.init(all: all, set: try FeatureSet(all.map { $0 as any ServedFeature } + others, manifests))
    }
}

extension PairingHostDependencies {
    init(_ base: DesktopBase, over network: DesktopNetwork, at serving: DesktopServing, records: PhoneRecords) {
        let sessions = base.reach.sessions
        self.init(
            own: base.own,
            gates: network.clients.map { SignalClientPairingGate($0, category: .desktop) },
            aliasGate: network.aliasGate(through: serving.dialer),
            bus: PairingMessageBus(),
            phones: base.stores.phones,
            guesses: base.stores.guesses,
            initialRights: records.rights.initial,
            iceServers: base.configuration.iceServers,
            addresses: { [addresses = serving.addresses] in
                await addresses.forCode(phonePage: network.hubsPhonePage())
            },
            sendForget: {
                if let peer = $0.sessionPeer { await sessions.end(with: peer, saying: PairingForget.message) }
            },
            acceptsEverybody: base.configuration.acceptsEverybody,
            time: base.configuration.time,
            logger: base.logger
        )
    }
}
