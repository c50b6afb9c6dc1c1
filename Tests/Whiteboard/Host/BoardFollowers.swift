import CommandServer
import Feed
import Kernel
import Whiteboard

/// The devices that follow the board, each with a lane of its own: a slow one holds up no other.
actor BoardFollowers {
    private struct Told: FeedItem {
        let stroke: Stroke
        let epoch: String
    }

    /// Strokes that wait for a slow follower; it asks for those that had to make room.
    private static let laneLimit = 20

    private(set) var devices: Set<String> = []
    private let outlet: any DeviceOutlet
    private lazy var lanes = FeedLanes<String, Told>(batch: 1) { [weak self] items, visit in
        for item in items { await self?.send(item, visit) }
    }

    init(outlet: any DeviceOutlet) { self.outlet = outlet }

    /// Begins or renews following.
    func follow(_ device: String) {
        devices.insert(device)
        // It may have come back on another way, so that a send of before says nothing of it.
        lanes.renew(device)
    }

    func forget(_ device: String) {
        devices.remove(device)
        lanes.remove(device)
    }

    /// Two strokes that are drawn at a time may come here in either order: a follower asks for what seems to be missing.
    func tell(_ stroke: Stroke, epoch: String) {
        for device in devices { lanes.add(Told(stroke: stroke, epoch: epoch), to: device, limit: Self.laneLimit) }
    }

    func close() async { await lanes.close() }

    private func send(_ told: Told, _ visit: FeedLanes<String, Told>.Visit) async {
        var members = told.stroke.wire.objectValue ?? [:]
        members["epoch"] = .string(told.epoch)
        do {
            try await outlet.send(.strokeDrawn, members, to: visit.follower)
        } catch {
            // It is away or may not be told any more, unless it asked again meanwhile. It asks again when it is back.
            if lanes.leave(visit) { forget(visit.follower) }
        }
    }
}
