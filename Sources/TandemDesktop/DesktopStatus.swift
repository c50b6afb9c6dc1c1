package import Control
package import Pairing

/// A computer's status. The members' names are those that `--json` prints.
package struct DesktopStatus: Codable, Hashable, Sendable {
    package var role = "desktop"
    package var deviceId: String
    package var did: String
    package var fingerprint: String
    package var name: String
    package var version: String
    package var port: Int
    package var servers: [Server]
    @OrNull package var hub: String?
    /// Nil of an older version.
    package var addresses: Addresses?
    package var activities: [ActivityEntry]

    /// Where phones find this computer.
    package struct Addresses: Codable, Hashable, Sendable {
        /// Its own server's, best first; none where it is on no network that phones reach.
        package var lan: [String]
        /// The hubs where it is registered.
        package var relays: [String]

        init(_ addresses: DeviceAddresses) {
            lan = addresses.lan.map(\.description)
            relays = addresses.relays.map(\.description)
        }
    }

    /// A signaling server where phones meet this computer.
    package struct Server: Codable, Hashable, Sendable {
        package var name: String
        package var registered: Bool
        /// Why it is not reached, and since when in milliseconds since 1970.
        package var reason: String?
        package var since: Int64?
    }
}
