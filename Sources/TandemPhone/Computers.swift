import CommandClient
import Commands
import Foundation
import Kernel
import Logging
import Pairing
import Sealing
import Signaling
import Transport

/// A session with each paired computer that seals, for as long as it is paired.
actor Computers {
    /// The parts that the sessions stand on.
    struct Parts: Sendable {
        let identity: Identity
        let configuration: PhoneConfiguration
        let desktops: SQLitePairingStore<PairedDesktop>
        let store: any SessionStore
        let sessions: PeerSessions
        let network: SignalNetwork
        let serverLocator: ServerLocator
        let pairing: PhonePairing
        let queue: OfflineCommandQueue
        let clear: ClearComputers
        let features: PeerFeatures
        let logger: Logger
    }

    /// How long a computer that acknowledges nothing is waited for: once it is reached again it is told anyway.
    private static let tellingLimit = Duration.seconds(10)

    private let parts: Parts
    private var links: [PairedDesktop.ID: ComputerLink] = [:]
    /// Where computers said that their own servers are.
    private var told: [PairedDesktop.ID: [URL]] = [:]
    /// Computers that removed their record first: they need no good-bye.
    private var forgotten: Set<PairedDesktop.ID> = []
    private let tasks = OwnedTasks()

    init(_ parts: Parts) { self.parts = parts }

    /// Keeps one session for each computer in the store, and follows every change of the store. Runs until cancelled.
    func run() async {
        for await list in parts.desktops.list() {
            await endLinks(leaving: list)
            for desktop in list where desktop.isEndToEnd { await look(for: desktop, through: await link(to: desktop)) }
            await updateClear(list)
        }
    }

    func close() async {
        for link in links.values { await link.close() }
        links = [:]
        await tasks.end()
    }

    private func updateClear(_ list: [PairedDesktop]) async {
        await parts.clear.update(list) { [serverLocator = parts.serverLocator] in
            serverLocator.localServers(of: $0.pcPeerID)
        }
    }

    // MARK: Links

    /// Ends the sessions with computers that are not in `list`, are there with another key, or were paired again since the last look. A
    /// computer whose record was removed here is told first, while there still is a session to say it in.
    private func endLinks(leaving list: [PairedDesktop]) async {
        let peers = Dictionary(list.map { ($0.pcPeerID, $0.sessionPeer) }, uniquingKeysWith: { $1 })
        let leaving = links.filter { peers[$0.key] != $0.value.connection.peer || $0.value.isOver }
        for id in leaving.keys {
            links[id] = nil
            told[id] = nil
        }
        await withDiscardingTaskGroup { group in
            for (id, link) in leaving {
                let isTold = peers[id] == nil && !forgotten.contains(id)
                forgotten.remove(id)
                if peers[id] == link.connection.peer {
                    // Paired again: what was kept of the old session went then, and what waits is for this computer.
                    group.addTask { await link.close() }
                    continue
                }
                group.addTask { await self.end(link, telling: isTold) }
            }
        }
    }

    private func end(_ link: ComputerLink, telling isTold: Bool) async {
        let farewell = isTold ? PairingForget.message : nil
        await parts.sessions.end(with: link.connection.peer, saying: farewell, closing: true)
        await link.close()
        do {
            // A command that waits for a computer that is gone would wait for ever.
            try await parts.queue.clear(for: link.desktopID)
            try await parts.store.forget(link.connection.peer.agreementKey)
        } catch {
            parts.logger.error("session not forgotten", metadata: ["reason": "\(error)"])
        }
    }

    /// The session with a computer; nil while there is none.
    func known(_ id: PairedDesktop.ID) -> ComputerLink? { links[id] }

    /// The session with a computer, made when there is none yet.
    func link(to desktop: PairedDesktop) async -> ComputerLink? {
        let earlier = links[desktop.pcPeerID]
        if let earlier, !earlier.isOver { return earlier }
        // Without a record, the next look at the list clears away what the earlier one leaves.
        guard let peer = desktop.sessionPeer, parts.desktops.record(desktop.pcPeerID) != nil else { return nil }
        if let earlier {
            links[desktop.pcPeerID] = nil
            tasks.add { await earlier.close() }
        }
        let made: ComputerLink
        do {
            made = try await ComputerLink(
                desktop: desktop,
                peer: peer,
                identity: parts.identity,
                network: parts.network,
                store: parts.store,
                features: parts.features,
                queue: parts.queue,
                timing: parts.configuration.timing,
                time: parts.configuration.time,
                callTime: parts.configuration.callTime,
                logger: parts.logger
            )
        } catch {
            parts.logger.error(
                "session not opened",
                metadata: ["desktop": "\(desktop.pcPeerID)", "reason": "\(error)"]
            )
            return nil
        }
        // Another task may have made one meanwhile: the first stays. The record may be gone: then there is none.
        guard links[desktop.pcPeerID] == nil, parts.desktops.record(desktop.pcPeerID) != nil else {
            await made.close()
            return links[desktop.pcPeerID]
        }
        links[desktop.pcPeerID] = made
        forgotten.remove(desktop.pcPeerID)
        await parts.sessions.add(made.connection)
        tasks.add { [weak self, logger = parts.logger] in
            await made.readMessages(logger: logger) { await self?.take($0, from: made) }
        }
        tasks.add { [weak self] in await self?.followState(of: made) }
        tasks.add { await made.followState() }
        let drainer = OfflineQueueDrainer(
            queue: parts.queue,
            desktopID: made.desktopID,
            time: parts.configuration.time,
            logger: parts.logger
        ) { try await made.commands.invoke($0) }
        tasks.add { await drainer.run(reachability: made.reachability()) }
        // The list that would look for it came before.
        if earlier != nil { tasks.add { [weak self] in await self?.look(for: desktop, through: made) } }
        return made
    }

    private func followState(of link: ComputerLink) async {
        for await state in link.connection.states() {
            do {
                switch state {
                case .connected:
                    try await parts.pairing.confirmed(by: link.desktopID)
                    tasks.add { [weak self] in await self?.tellName(through: link) }
                // A pairing that came meanwhile closed it, or another took its place: the refusal is about the pairing before.
                case .refused(.notPaired) where links[link.desktopID] === link && link.connection.state != .closed:
                    await forgotten(by: link.desktopID)
                case .refused, .notConnected, .connecting, .closed: break
                }
            } catch {
                parts.logger.error("pairing not updated", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// A message that belongs to no feature.
    private func take(_ envelope: JSONValue, from link: ComputerLink) async {
        if let addresses = DeviceAddresses(message: envelope) {
            await take(addresses, from: link)
        } else if let allowed = AllowedRights(message: envelope) {
            do {
                let before = parts.desktops.record(link.desktopID)?.allowed?.rights
                _ = try await parts.desktops.update(link.desktopID) { $0.allowed = allowed }
                if before != allowed.rights { await link.parts.allowed(allowed.rights) }
            } catch {
                parts.logger.error("rights not kept", metadata: ["reason": "\(error)"])
            }
        } else if let name = OwnName(message: envelope) {
            await take(name, from: link)
        } else if envelope["type"]?.stringValue == PairingForget.type {
            await forgotten(by: link.desktopID)
        }
    }

    /// The computer may have been paired when this phone was called otherwise.
    private func tellName(through link: ComputerLink) async {
        let message = OwnName(parts.configuration.device.name).message.canonicalBytes
        do {
            try await withTimeout(Self.tellingLimit, on: parts.configuration.time, throwing: SessionError.linkDown) {
                try await link.connection.send(message)
            }
        } catch {
            // The session is over, or full for too long.
            parts.logger.debug("name not told", metadata: ["reason": "\(error)"])
        }
    }

    private func take(_ name: OwnName, from link: ComputerLink) async {
        // Said at each reconnect, mostly the same.
        guard let known = parts.desktops.record(link.desktopID), known.toldName != name.name else { return }
        do {
            _ = try await parts.desktops.update(link.desktopID) { $0.take(name) }
        } catch {
            parts.logger.error("name not kept", metadata: ["reason": "\(error)"])
        }
    }

    private func forgotten(by desktopID: String) async {
        forgotten.insert(desktopID)
        do {
            try await parts.pairing.forgotten(by: desktopID)
            parts.logger.notice("forgotten by the computer", metadata: ["desktop": "\(desktopID)"])
        } catch {
            parts.logger.error("record not removed", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Where they are

    private func look(for desktop: PairedDesktop, through link: ComputerLink?) async {
        guard let link else { return }
        let wanted = ComputerWay.wanted(
            for: desktop,
            told: told[desktop.pcPeerID] ?? [],
            discovered: parts.serverLocator.localServers(of: desktop.pcPeerID),
            hub: parts.configuration.hubURL,
            current: await link.ways.current
        )
        await link.ways.use(wanted)
    }

    func found(_ snapshot: DiscoverySnapshot) async {
        parts.serverLocator.update(snapshot)
        for desktop in parts.desktops.all() { await look(for: desktop, through: links[desktop.pcPeerID]) }
        await updateClear(parts.desktops.all())
    }

    /// The computer says where it is: that is newer than what its code said, and tells its own server from a hub in the same house.
    private func take(_ addresses: DeviceAddresses, from link: ComputerLink) async {
        guard let known = parts.desktops.record(link.desktopID) else { return }
        let lan = addresses.lan.map(\.url)
        let current = await link.ways.current
        let isMetAtHub = link.connection.state == .connected(path: .relay)
        let change: @Sendable (inout PairedDesktop) -> Void = { desktop in
            desktop.take(addresses, isMetAtHub: isMetAtHub) { current[ComputerWay(url: $0, kind: .lan)] == true }
        }
        var next = known
        change(&next)
        // Told at each reconnect, mostly the same.
        guard next != known || told[link.desktopID] != lan else { return }
        told[link.desktopID] = lan
        // Addresses that the code said already are not written down again.
        guard next != known else { return await look(for: known, through: link) }
        do {
            if let kept = try await parts.desktops.update(link.desktopID, change) {
                await look(for: kept, through: link)
            }
        } catch {
            parts.logger.error("addresses not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Containers and lease renewals change the system's list too: only an address that others can reach is news.
    func follow(_ network: any NetworkWatch) async {
        var known = LocalAddresses.reachable(among: NetworkInterface.current())
        for await _ in network.changes() {
            let now = LocalAddresses.reachable(among: NetworkInterface.current())
            guard now != known else { continue }
            known = now
            await resume()
        }
    }

    /// The machine slept, or came into another network: every way to every computer is looked at at once.
    func resume() async {
        await parts.sessions.resume()
        await parts.network.resume()
    }
}

extension PairedDesktop {
    /// The peer of a sealed session; nil for a computer that cannot seal.
    var sessionPeer: SessionPeer? {
        guard let did, let agreementKey else { return nil }
        return SessionPeer(did: did, agreementKey: agreementKey)
    }
}
