import Foundation
import Pairing
import Sealing
import Signaling
import SignalingServer
import Transport

extension DesktopConfiguration {
    /// Makes the own server's parameters from the owner's settings, and from what it knows of this computer.
    func server(
        for own: OwnDevice,
        at addresses: DesktopAddresses,
        unmetered: UnmeteredKeys,
        serving features: CommandFeatures
    ) -> SignalingServerConfiguration {
        var server = server
        server.webSocketRoutes += features.webSocketRoutes
        server.httpRoutes += features.httpRoutes
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
