import Capabilities
package import Control
import Foundation
import Kernel
import Sealing
import SignalingServer

/// The control methods on a hub's state folder. The members' names are those that `--json` prints.
package struct HubControl: Sendable {
    package static let peers = ControlMethod<PeerQuery, PeerList>(
        "hub.peers",
        summary: "Who is connected to the hub; with a limit the newest first, page by page."
    )
    package static let devices = ControlMethod<PeerQuery, DeviceList>(
        "hub.devices",
        summary: "The devices that proved their ids to the hub, connected or not, those seen last first, page by page."
    )
    package static let name = ControlMethod<Name, NoControlAnswer>(
        "hub.name",
        summary: "Give a device the name by which the hub's operator knows it, or take it away."
    )
    package static let kick = ControlMethod<Kick, NoControlAnswer>(
        "hub.kick",
        summary: "End a device's connection to the hub; it is told why."
    )
    package static let release = ControlMethod<Release, NoControlAnswer>(
        "hub.release",
        summary: "Take an id from the key that owns it at the hub, with what waits for it."
    )
    package static let limits = ControlMethod<NoControlParameters, LimitList>(
        "hub.limits",
        summary: "The limits of the hub, with their settings."
    )

    package static let load = ControlMethod<HubLoad.Query, HubLoad>(
        "hub.load",
        summary: "How busy the hub is."
    )

    package static let backup = ControlMethod<Backup, BackedUp>(
        "hub.backup",
        summary: "Copy all that the hub keeps into a new folder, while it runs."
    )

    private static let idLimit = 256
    private static let reasonLimit = 256

    let server: SignalingServer
    let configuration: SignalingServerConfiguration
    let version: String
    let meter: HubMeter
    let recorder: HubRecorder
    let backups: HubBackup
    /// Those of its features.
    let featureLimits: [FeatureLimit]
    /// What its features know of devices.
    let knownDevices: @Sendable (Set<DID>) async -> [DID: KnownDevice]
    /// Of this hub and its features, for the person who looks after it.
    let checks: @Sendable () async -> [DoctorCheck]
    /// Milliseconds since 1970.
    let startedAt: Int64

    var routes: [ControlRoute] {
        [
            ControlRoute(.status) { _ in try await status() },
            ControlRoute(.doctor) { _ in DoctorReport(await checks()) },
            ControlRoute(Self.peers) { try await named(PeerList(server.peers(), $0)) },
            ControlRoute(Self.devices) { try await devices($0) },
            ControlRoute(Self.name) { wish in
                let id = try id(wish.id)
                guard let name = ShownName.clean(wish.name ?? "") else { throw HubError.badName }
                guard try await server.name(PeerID(id), name.isEmpty ? nil : name) else { throw HubError.tooManyNames }
                return NoControlAnswer()
            },
            ControlRoute(Self.kick) { kick in
                let id = try id(kick.id)
                let reason = kick.reason ?? "The operator of this server ended the connection."
                guard server.kick(id, reason: String(reason.prefix(Self.reasonLimit))) else {
                    throw HubError.notConnected(id)
                }
                return NoControlAnswer()
            },
            ControlRoute(Self.release) { release in
                let id = try id(release.id)
                guard try await server.release(id) else { throw HubError.notOwned(id) }
                return NoControlAnswer()
            },
            ControlRoute(Self.load) { query in
                guard let now = try await meter.sample() else { throw HubError.notListening }
                let limits = HubLoad.Limits(
                    connections: configuration.limits.connections,
                    outgoingBytes: configuration.limits.totalOutgoingBytes,
                    idsKnown: configuration.limits.knownIDs,
                    descriptors: DescriptorLimit.current
                )
                let history = await query.history == true ? recorder.samples : nil
                return HubLoad(startedAt: startedAt, now: now, limits: limits, history: history)
            },
            ControlRoute(Self.backup) { [backups] wish in
                let done = try await backups.run(to: wish.folder)
                return BackedUp(
                    folder: wish.folder,
                    databases: done.databases,
                    files: done.files,
                    bytes: done.bytes
                )
            },
            ControlRoute(Self.limits) { _ in
                let standard = SignalingLimits()
                let own = LimitSetting.all.map { Limit($0, configuration.limits, standard: standard) }
                return LimitList(limits: own + featureLimits.map(Limit.init))
            },
        ]
    }

    private func status() async throws -> HubStatus {
        let port = try await server.boundPort()
        let urls = HubAddresses.urls(configuration, port: port, certificateNames: server.certificateNames)
        return HubStatus(
            version: version,
            address: configuration.address,
            port: port,
            url: urls.first ?? "",
            urls: urls,
            dialect: configuration.dialect.rawValue,
            legacyOpen: configuration.isLegacyOpen,
            phonePage: urls.lazy.compactMap(phonePage(of:)).first,
            trustedProxies: configuration.trustedProxies.map(\.description)
        )
    }

    /// The page for phones beside one of this hub's addresses.
    private func phonePage(of url: String) -> String? {
        url.range(of: "://").flatMap { configuration.phonePage(String(url[$0.upperBound...])) }
    }

    private func id(_ id: String) throws -> String {
        guard !id.isEmpty, id.utf8.count <= Self.idLimit else { throw HubError.notConnected(String(id.prefix(40))) }
        return id
    }
}

package struct HubStatus: Codable, Hashable, Sendable {
    package var role = "hub"
    package var version: String
    package var address: String
    package var port: Int
    package var url: String
    package var urls: [String]
    package var dialect: String
    package var legacyOpen: Bool
    /// Where the hub serves its page for phones; nil where it serves none, and of an older version.
    package var phonePage: String?
    package var trustedProxies: [String]
}

extension HubControl {
    package struct Backup: Codable, Hashable, Sendable {
        /// An absolute path.
        package var folder: String

        package init(folder: String) { self.folder = folder }
    }

    package struct BackedUp: Codable, Hashable, Sendable {
        package var folder: String
        package var databases: Int
        /// All of them, the databases too.
        package var files: Int
        package var bytes: Int64
    }

    package struct Kick: Codable, Hashable, Sendable {
        package var id: String
        /// The reason that the device is told; nil for a sentence of the hub's.
        package var reason: String?

        package init(_ id: String, reason: String?) {
            self.id = id
            self.reason = reason
        }
    }

    package struct Release: Codable, Hashable, Sendable {
        package var id: String

        package init(_ id: String) { self.id = id }
    }

    package struct PeerQuery: Codable, Hashable, Sendable {
        static let limits = 1...10_000
        static let standardLimit = 1000

        /// How many are told at most, the newest first; nil for all of them.
        package var limit: Int?
        /// The `next` of the answer before.
        package var after: String?

        package init(limit: Int? = nil, after: String? = nil) {
            self.limit = limit
            self.after = after
        }

        /// A time and an id, as `next` names a place.
        ///
        /// - Throws: `ControlError/badParameter(name:expected:)`.
        static func place(_ text: String) throws -> (Int64, String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let at = Int64(parts[0]) else {
                throw ControlError.badParameter(name: "after", expected: "the next of an answer")
            }
            return (at, String(parts[1]))
        }

        /// - Throws: `ControlError/badParameter(name:expected:)`.
        var checkedLimit: Int? {
            get throws {
                guard let limit else { return nil }
                guard Self.limits.contains(limit) else {
                    throw ControlError.badParameter(name: "limit", expected: "1 to 10000")
                }
                return limit
            }
        }
    }

    package struct PeerList: Codable, Hashable, Sendable {
        package var peers: [Peer]
        /// How many there are. Nil of an older version.
        package var total: Int?
        /// Where the next page begins; nil on the last one, and without a limit.
        package var next: String?
        /// The keys that ``peers`` proved, in their order; told to nobody.
        var keys: [DID?] = []

        private enum CodingKeys: CodingKey {
            case peers
            case total
            case next
        }

        /// - Throws: `ControlError/badParameter(name:expected:)`.
        init(_ all: [ConnectedPeer], _ query: PeerQuery) throws {
            total = all.count
            guard let limit = try query.checkedLimit else {
                guard query.after == nil else { throw ControlError.badParameter(name: "limit", expected: "a number") }
                peers = all.map(Peer.init)
                keys = all.map(\.key)
                return
            }
            let after = try query.after.map(Place.init)
            let rest = all.lazy.map { (place: Place($0), peer: $0) }
                .filter { entry in after.map { $0 < entry.place } ?? true }
                .sorted { $0.place < $1.place }
            let page = rest.prefix(limit)
            peers = page.map { Peer($0.peer) }
            keys = page.map(\.peer.key)
            next = page.count < rest.count ? page.last?.place.text : nil
        }

        /// A connection's place in the list: connections come and go between two pages, and none is told twice or left out for that.
        private struct Place: Comparable {
            let connectedAt: Int64
            let id: String

            var text: String { "\(connectedAt):\(id)" }

            init(_ peer: ConnectedPeer) { (connectedAt, id) = (peer.connectedAt, peer.id) }

            init(_ text: String) throws { (connectedAt, id) = try PeerQuery.place(text) }

            /// The newest first.
            static func < (left: Place, right: Place) -> Bool {
                (right.connectedAt, left.id) < (left.connectedAt, right.id)
            }
        }
    }

    /// A connection. Times are in milliseconds since 1970.
    package struct Peer: Codable, Hashable, Sendable {
        package var peerId: String
        /// As in ``Device``; nil of an older version, too.
        package var name: String?
        /// As in ``Device``; nil of an older version, too.
        package var person: String?
        package var proven: Bool
        package var address: String
        package var connectedAt: Int64
        package var lastSeen: Int64

        init(_ peer: ConnectedPeer) {
            peerId = peer.id
            proven = peer.isProven
            address = peer.address
            connectedAt = peer.connectedAt
            lastSeen = peer.lastSeen
        }
    }

    package struct LimitList: Codable, Hashable, Sendable {
        package var limits: [Limit]
    }

    package struct Limit: Codable, Hashable, Sendable {
        package var name: String
        package var value: Int
        package var `default`: Int
        package var unit: String
        package var summary: String

        init(_ setting: LimitSetting, _ limits: SignalingLimits, standard: SignalingLimits) {
            name = setting.name
            value = setting.value(in: limits)
            `default` = setting.value(in: standard)
            unit = setting.unit
            summary = setting.summary
        }

        init(_ limit: FeatureLimit) {
            name = limit.name
            value = limit.value
            `default` = limit.standard
            unit = limit.unit
            summary = limit.summary
        }
    }
}

/// Why an operator's command could not be done. The description is shown to the person.
enum HubError: Error, Hashable, CustomStringConvertible {
    case notConnected(String)
    case notOwned(String)
    case notListening
    case badName
    case tooManyNames
    case notAbsolute(String)
    case notEmpty(String)
    case damagedCopy(String)

    var description: String {
        switch self {
        case .notConnected(let id): "\(id) is not connected here. Who is: tandem hub peers"
        case .notOwned(let id): "\(id) belongs to no key here, so there is nothing to release."
        case .notAbsolute(let path): "\(path) is no whole path. Name the folder from the root on."
        case .notEmpty(let path): "\(path) has something in it. Name a folder that is empty, or is not there yet."
        case .damagedCopy(let path): "The copy \(path) is damaged. Check the disk, and make another one."
        case .badName: "A name has at most 64 characters. Give the device a shorter one."
        case .tooManyNames:
            "\(OwnedID.nameLimit) devices have a name, and no more fit. Take one away that is not needed."
        case .notListening: "The hub does not listen yet. Try again in a moment."
        }
    }
}
