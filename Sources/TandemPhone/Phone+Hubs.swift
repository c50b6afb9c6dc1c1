package import Foundation
import Pairing
package import Signaling

extension Phone {
    /// How it meets servers.
    package nonisolated var signalAccess: SignalAccess { configuration.signaling ?? .webSockets(logger: logger) }

    /// The hubs that it knows: its own first, then those of its computers, of the one seen last first. Also while it rests.
    package nonisolated var knownHubs: [URL] {
        let computers = desktops.all().sorted { $0.lastSeenAt > $1.lastSeenAt }
        var hubs: [URL] = []
        for hub in [configuration.hubURL] + computers.map(\.relayURL) {
            if let hub, !hubs.contains(hub) { hubs.append(hub) }
        }
        return hubs
    }
}
