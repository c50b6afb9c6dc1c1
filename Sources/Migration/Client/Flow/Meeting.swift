import Foundation
import Kernel
import MigrationTransfer
import TandemPhone
import Transport

/// The links of a move while it runs: the local network first, a hub where the phones do not reach each other there. Either phone may be the one that
/// listens.
struct Meeting: Sendable {
    /// With the port and the room that were found for it.
    let plan: MeetingPlan
    let links: any MigrationLinks
    /// Where the other phone finds this one, the likeliest first; empty where this one dials.
    let places: [String]
    /// Called at the end, in this order.
    private let endings: [@Sendable () async -> Void]

    /// - Throws: `MigrationTransferError.badAddress`, ``MigrationClientError/notMovable``.
    static func open(_ plan: MeetingPlan, of site: MigrationSite) async throws -> Meeting {
        plan.dials ? try await dial(plan, site) : try await listen(plan, site)
    }

    func close() async { for ending in endings { await ending() } }

    private static func dial(_ plan: MeetingPlan, _ site: MigrationSite) async throws -> Meeting {
        let access = try site.phone.phone.signalAccess
        var (addresses, rooms): ([LinkAddress], [RelayPlace]) = ([], [])
        for place in plan.places {
            switch try LinkPlace(place) {
            case .address(let address): addresses.append(address)
            case .room(let room): rooms.append(room)
            }
        }
        let near = addresses.isEmpty ? nil : try TCPLinkDialer(addresses)
        let far = rooms.first.map { RelayLinkDialer($0, through: access, time: site.time) }
        let links: any MigrationLinks
        switch (near, far) {
        case (let near?, let far?): links = PreferredDialer(near: near, far: far, time: site.time)
        case (let near?, nil): links = near
        case (nil, let far?): links = far
        case (nil, nil): throw MigrationTransferError.badAddress(what: "")
        }
        return Meeting(plan: plan, links: links, places: [], endings: far.map { far in [{ await far.close() }] } ?? [])
    }

    private static func listen(_ plan: MeetingPlan, _ site: MigrationSite) async throws -> Meeting {
        let room = try Self.room(of: plan, site)
        let access = try site.phone.phone.signalAccess
        let listener = try await TCPLinkListener.bind(host: plan.host, port: plan.port)
        var (kept, places) = (plan, addresses(plan.host, listener.port))
        kept.port = listener.port
        guard let room,
            // A hub whose address may not be used any more leaves the local network.
            let far = try? await RelayLinkListener.open(
                room,
                through: access,
                time: site.time
            )
        else { return Meeting(plan: kept, links: listener, places: places, endings: [{ await listener.close() }]) }
        kept.room = room.description
        places.append(room.description)
        return Meeting(
            plan: kept,
            links: JoinedListeners([listener, far]),
            places: places,
            endings: [{ await listener.close() }, { await far.close() }]
        )
    }

    /// The room of an earlier run, or a new one at the first hub that the phone knows.
    private static func room(of plan: MeetingPlan, _ site: MigrationSite) throws -> RelayPlace? {
        if let room = plan.room, let place = try? RelayPlace(room) { return place }
        return try site.phone.phone.knownHubs.lazy.compactMap { try? RelayPlace(hub: $0, room: RelayRoom()) }.first
    }

    private static func addresses(_ host: String, _ port: Int) -> [String] {
        guard host == MeetingPlan.anyAddress else {
            return [host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"]
        }
        let interfaces = NetworkInterface.current()
        let found = LocalAddresses.reachable(among: interfaces) + LocalAddresses.lastResort(among: interfaces)
        return found.prefix(4).map { "\($0.description):\(port)" }
    }
}
