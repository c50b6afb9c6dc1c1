import Kernel
import Sealing
import Synchronization
import Transport

/// The connected devices by their ids. The one thing event loops share; the frame path asks it only when a sender turns to another
/// recipient.
final class Registry: Sendable {
    struct Entry {
        let connection: RelayConnection
        let key: DID?
        let deviceType: [UInt8]?
        let deviceInfo: [UInt8]?
        /// Milliseconds since 1970.
        let connectedAt: Int64
        let order: UInt64
        /// The order of this socket's first registration of this id.
        let firstOrder: UInt64
        /// When an alias stops being one, nanoseconds of the relay's clock.
        let expiresAt: UInt64?
        var contacts: Set<PeerID>

        var speaksBinary: Bool { key != nil }
    }

    /// Where a frame goes.
    struct Target {
        let connection: RelayConnection
        /// The connection's generation when it was looked up: another number means look again.
        let generation: UInt64
        let speaksBinary: Bool
    }

    struct Listed {
        let id: PeerID
        let deviceType: [UInt8]?
        let deviceInfo: [UInt8]?
        let connectedAt: Int64
        let lastSeen: Int64
        let ipAddress: String
    }

    private struct State {
        var entries: [PeerID: Entry] = [:]
        var local: LocalPeer?
        var nextOrder: UInt64 = 0
    }

    private let state: Mutex<State>
    private let startedAt: Int64
    let localID: PeerID?

    init(local: LocalPeer?, startedAt: Int64) {
        state = Mutex(State(local: local))
        self.startedAt = startedAt
        localID = local.map { PeerID($0.id) }
    }

    /// - Parameter otherwise: Called while no device can register, so that what it queues is queued before the id's mailbox is read.
    func target<Value: Sendable>(_ id: PeerID, otherwise: () -> Value) -> Result<Target, Away<Value>> {
        state.withLock { state in
            guard let entry = state.entries[id] else { return .failure(Away(value: otherwise())) }
            return .success(
                Target(
                    connection: entry.connection,
                    generation: entry.connection.generation.load(ordering: .acquiring),
                    speaksBinary: entry.speaksBinary
                )
            )
        }
    }

    struct Away<Value: Sendable>: Error {
        let value: Value
    }

    /// The result of a registration.
    struct Registered {
        /// Another socket that had the id.
        let replaced: RelayConnection?
        /// Whether the id was known to be here already.
        let isReconnect: Bool
        let contacts: Set<PeerID>
        let order: UInt64
    }

    func register(
        _ claim: RegistrationClaim,
        entry: DirectoryEntry,
        connection: RelayConnection,
        now: Int64,
        expiresAt: UInt64?
    ) -> Result<Registered, RegistrationRefusal> {
        state.withLock { state in
            let existing = state.entries[claim.id]
            if let existing, existing.connection !== connection {
                if claim.id.isAlias { return .failure(.aliasTaken) }
                if existing.key != nil, claim.proof == nil { return .failure(.proofRequired) }
            }
            state.nextOrder += 1
            state.entries[claim.id] = Entry(
                connection: connection,
                key: claim.proof?.key,
                deviceType: claim.deviceType,
                deviceInfo: claim.deviceInfo,
                connectedAt: now,
                order: state.nextOrder,
                firstOrder: existing.flatMap { $0.connection === connection ? $0.firstOrder : nil } ?? state.nextOrder,
                // Registering again does not make a code live longer.
                expiresAt: existing?.expiresAt ?? expiresAt,
                contacts: entry.contacts
            )
            var isReconnect = existing != nil
            if localID == claim.id, state.local != nil {
                isReconnect = true
                state.local = nil
            }
            let replaced = existing.flatMap { $0.connection === connection ? nil : $0.connection }
            // A connection that remembers the old socket looks again.
            replaced?.generation.add(1, ordering: .releasing)
            return .success(
                Registered(
                    replaced: replaced,
                    isReconnect: isReconnect,
                    contacts: entry.contacts,
                    order: state.nextOrder
                )
            )
        }
    }

    /// Removes those of `ids` that are still this connection's.
    ///
    /// - Returns: The ids that were removed, with their contacts.
    func remove(_ ids: [PeerID], of connection: RelayConnection) -> [(id: PeerID, contacts: Set<PeerID>)] {
        state.withLock { state in
            connection.generation.add(1, ordering: .releasing)
            return ids.compactMap { id in
                guard let entry = state.entries[id], entry.connection === connection else { return nil }
                state.entries[id] = nil
                return (id, entry.contacts)
            }
        }
    }

    /// Removes aliases whose time is over.
    func expiredAliases(now: UInt64) -> [(id: PeerID, connection: RelayConnection)] {
        state.withLock { state in
            state.entries.compactMap { id, entry in
                guard let end = entry.expiresAt, now >= end else { return nil }
                return (id, entry.connection)
            }
        }
    }

    /// Makes two ids contacts while they are here; the directory has it on disk.
    func connect(_ first: PeerID, _ second: PeerID) {
        state.withLock { state in
            state.entries[first]?.contacts.insert(second)
            state.entries[second]?.contacts.insert(first)
        }
    }

    /// The sockets that are told of a change of `id`: its contacts, or all in an open server.
    ///
    /// - Parameter before: An order of registration: later ones are not told. An arrival is announced once its mailbox was read, and
    ///   devices that came meanwhile are not told what they could see already.
    func audience(
        of id: PeerID,
        contacts: Set<PeerID>,
        isOpen: Bool,
        before: UInt64 = .max,
        except: RelayConnection
    ) -> [RelayConnection] {
        state.withLock { state in
            let entries =
                isOpen
                ? state.entries.filter { !$0.key.isAlias }.map(\.value)
                : contacts.compactMap { state.entries[$0] }
            let found = entries.filter { $0.firstOrder < before }.map(\.connection)
            var seen: Set<ObjectIdentifier> = [ObjectIdentifier(except)]
            return found.filter { seen.insert(ObjectIdentifier($0)).inserted }
        }
    }

    /// The devices that `viewer` may see, in the order of registration, the local computer first.
    func list(for viewer: PeerID?, isOpen: Bool, includesViewer: Bool) -> [Listed] {
        state.withLock { state in
            let own = viewer.flatMap { state.entries[$0] }
            var visible: [(id: PeerID, entry: Entry)] = []
            if isOpen {
                for (id, entry) in state.entries where id != viewer && !id.isAlias { visible.append((id, entry)) }
            } else {
                // Not every device that is here: every event loop waits for the lock meanwhile.
                for id in own?.contacts ?? [] where id != viewer && !id.isAlias {
                    if let entry = state.entries[id] { visible.append((id, entry)) }
                }
            }
            if includesViewer, let viewer, let own { visible.append((viewer, own)) }
            visible.sort { $0.entry.order < $1.entry.order }
            let listed = visible.map { Self.listed($0.id, $0.entry) }
            guard let local = state.local, let localID, isOpen || own?.contacts.contains(localID) == true else {
                return listed
            }
            return [Self.listed(local, localID, startedAt)] + listed
        }
    }

    /// Nil when `id` is not here, or none of the viewer's business: the two look the same.
    func status(of id: PeerID, for viewer: PeerID?, isOpen: Bool) -> Listed? {
        state.withLock { state in
            let isKnown = viewer.flatMap { state.entries[$0] }?.contacts.contains(id) == true
            guard isOpen || isKnown || id == viewer, !id.isAlias else { return nil }
            if let entry = state.entries[id] { return Self.listed(id, entry) }
            guard let local = state.local, localID == id else { return nil }
            return Self.listed(local, id, startedAt)
        }
    }

    /// Whether `id` is the computer the server runs in, before its own socket came.
    func isWaitingLocal(_ id: PeerID) -> Bool { id == localID && state.withLock { $0.local != nil } }

    /// Whether the socket of `id` comes from this machine or its own network.
    func isLocal(_ id: PeerID) -> Bool {
        guard let address = state.withLock({ $0.entries[id]?.connection.address }) else { return false }
        // An IPv6 address is kept as its /64 network.
        return address.isLoopback || LocalAddresses.isPrivateOrLoopback(address.text.replacing("::/64", with: "::"))
    }

    /// The key that proved an id which is connected now.
    func provenKey(of id: PeerID) -> DID? { state.withLock { $0.entries[id]?.key } }

    /// Those of these ids that are connected now.
    func connected(among ids: [PeerID]) -> Set<PeerID> {
        state.withLock { state in Set(ids.filter { state.entries[$0] != nil }) }
    }

    /// The devices that are connected, for the operator, in the order of registration.
    func connectedPeers() -> [ConnectedPeer] {
        state.withLock { state in
            state.entries.sorted { $0.value.order < $1.value.order }.map { id, entry in
                ConnectedPeer(
                    // The digits of a code that is shown are not the operator's business.
                    id: id.isAlias ? "pairing-code" : id.description,
                    key: entry.key,
                    address: entry.connection.address.text,
                    connectedAt: entry.connectedAt,
                    lastSeen: entry.connection.lastSeen.load(ordering: .relaxed)
                )
            }
        }
    }

    private static func listed(_ id: PeerID, _ entry: Entry) -> Listed {
        Listed(
            id: id,
            deviceType: entry.deviceType,
            deviceInfo: entry.deviceInfo,
            connectedAt: entry.connectedAt,
            lastSeen: entry.connection.lastSeen.load(ordering: .relaxed),
            ipAddress: ""
        )
    }

    private static func listed(_ local: LocalPeer, _ id: PeerID, _ startedAt: Int64) -> Listed {
        var type: [UInt8] = []
        JSONValue.appendQuoted(local.deviceType, to: &type)
        var info = FrameText()
        info.add("name", text: local.deviceName)
        info.add("platform", text: local.platform)
        return Listed(
            id: id,
            deviceType: type,
            deviceInfo: info.finished(),
            connectedAt: startedAt,
            lastSeen: startedAt,
            ipAddress: local.ipAddress
        )
    }
}
