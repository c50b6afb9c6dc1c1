import Capabilities
import Control
import Sealing
import SignalingServer

/// The devices that a hub knows, with what they are called.
extension HubControl {
    package struct Name: Codable, Hashable, Sendable {
        package var id: String
        /// At most 64 characters and 256 bytes; nil or empty takes the name away.
        package var name: String?

        package init(_ id: String, name: String?) {
            self.id = id
            self.name = name
        }
    }

    package struct DeviceList: Codable, Hashable, Sendable {
        package var devices: [Device]
        /// How many there are.
        package var total: Int
        /// Where the next page begins; nil on the last one.
        package var next: String?
    }

    /// A device that proved its id.
    package struct Device: Codable, Hashable, Sendable {
        package var peerId: String
        /// What the operator calls it, else its person with an account here; nil where nobody gave it a name.
        package var name: String?
        /// The name of the account whose device it is; nil for one without an account here.
        package var person: String?
        package var connected: Bool
        /// When it last came, to the day: milliseconds since 1970.
        package var seenAt: Int64
    }

    /// The list with what is known of its devices: their names by the operator, or by people with accounts.
    func named(_ list: PeerList) async throws -> PeerList {
        let names = try await server.names()
        let known = await knownDevices(Set(list.keys.compactMap(\.self)))
        var list = list
        for (index, key) in zip(list.peers.indices, list.keys) {
            let device = key.flatMap { known[$0] }
            list.peers[index].name = names[PeerID(list.peers[index].peerId)] ?? device?.name
            list.peers[index].person = device?.person
        }
        return list
    }

    func devices(_ query: PeerQuery) async throws -> DeviceList {
        let limit = try query.checkedLimit ?? PeerQuery.standardLimit
        let ids = try await server.ownedIDs(after: try query.after.map(OwnedID.Place.init(text:)), limit: limit + 1)
        let page = ids.prefix(limit)
        let (names, here) = (try await server.names(), server.connected(among: page.map(\.id)))
        let known = await knownDevices(Set(page.map(\.key)))
        return DeviceList(
            devices: page.map { owned in
                Device(
                    peerId: owned.id.description,
                    name: names[owned.id] ?? known[owned.key]?.name,
                    person: known[owned.key]?.person,
                    connected: here.contains(owned.id),
                    seenAt: owned.seenAt
                )
            },
            total: try await server.ownedIDCount(),
            next: ids.count > limit ? page.last?.place.text : nil
        )
    }
}

extension OwnedID.Place {
    fileprivate var text: String { "\(seenAt):\(id.storageKey)" }

    /// - Throws: `ControlError/badParameter(name:expected:)`.
    fileprivate init(text: String) throws {
        let (seenAt, id) = try HubControl.PeerQuery.place(text)
        self.init(seenAt: seenAt, id: PeerID(storageKey: id))
    }
}
