import CommandServer
package import Commands
package import Control
import Kernel
import Notifications
import Rights

/// The methods and control routes for commands and pages of this computer.
extension NotificationsSkill {
    /// The person at this computer, as a device that sees everything.
    package var owner: any Peer {
        OwnerPeer(NotificationOwner.caller, methods: { self.methods }, told: telling.ownerEvents)
    }

    package var controlRoutes: [ControlRoute] {
        let peer = owner
        return NotificationRoutes(ofComputer: { _ in peer }).control + [
            ControlRoute(NotificationsControl.devices) { _ in try await self.devices() },
            ControlRoute(NotificationsControl.deliveries) { try await self.deliveries(of: $0.id) },
        ]
    }

    package var topics: [ControlTopic] {
        [
            ControlTopic(NotificationsControl.topic) { [telling] tell in
                let events = telling.ownerEvents.subscribe()
                tell([:])
                for await _ in events { tell([:]) }
            }
        ]
    }

    private func devices() async throws -> NotificationsControl.Devices {
        let cursors = Dictionary(
            try await store.cursors().map { ($0.device, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return NotificationsControl.Devices(
            outlet.devices(needing: .notification).sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { device in
                let cursor = cursors[device.id]
                return NotificationsControl.Devices.Device(
                    id: device.id,
                    name: device.name,
                    catchesUp: cursor != nil,
                    seenAt: cursor?.seenAt,
                    waiting: cursor?.waiting,
                    hasPush: store.push(of: device.id) != nil
                )
            }
        )
    }

    private func deliveries(of id: String) async throws -> NotificationsControl.Deliveries {
        let names = Dictionary(
            outlet.devices(needing: .notification).map { ($0.id, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        return NotificationsControl.Deliveries(
            try await store.deliveries(of: id).map {
                .init(device: $0.device, name: names[$0.device], at: $0.at, acknowledged: $0.isAcknowledged)
            }
        )
    }
}
