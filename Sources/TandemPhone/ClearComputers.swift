import Foundation
import Kernel
import Logging
import Pairing
import Signaling
import Transport

/// The computers that were paired without sealing: a ``ClearLink`` for each, and the servers at which it is looked for.
actor ClearComputers {
    /// Servers on the local network where one computer may be looked for at a time.
    private static let serverLimit = 4

    private let mobileDID: String
    private let network: SignalNetwork
    private let features: PeerFeatures
    private let time: any TimeSource
    private let logger: Logger
    private var links: [PairedDesktop.ID: ClearLink] = [:]
    private var retained: [PairedDesktop.ID: [URL]] = [:]
    private let following = OwnedTasks()
    private var isClosed = false

    init(mobileDID: String, network: SignalNetwork, features: PeerFeatures, time: any TimeSource, logger: Logger) {
        self.mobileDID = mobileDID
        self.network = network
        self.features = features
        self.time = time
        self.logger = logger
    }

    /// Hands on what servers say about these computers. Runs until the stream ends or its task is cancelled.
    func run(_ events: AsyncStream<SignalNetwork.Event>) async {
        for await event in events {
            switch event.content {
            case .state(let state):
                for (id, link) in links where retained[id]?.contains(event.url) == true {
                    await link.serverState(state.presence != nil, at: event.url)
                }
            case .signal(.message(let message)) where message.kind == .message:
                // The computer's answers are of the moment: no caller still waits for one that a server kept.
                guard !message.wasStored, let sender = message.from, let link = links[sender] else { continue }
                await link.receive(message.payload, at: event.url)
            case .signal(.peerOffline(let notice)) where notice.messageType != "binary":
                await links[notice.peerID]?.left(at: event.url, isAnswer: true)
            case .signal(.peerStatus(let status)):
                if status.isOnline {
                    await links[status.peerID]?.seen(at: event.url)
                } else {
                    await links[status.peerID]?.left(at: event.url, isAnswer: false)
                }
            default: continue
            }
        }
    }

    /// Keeps a link for each unsealed computer of the list.
    ///
    /// - Parameter addresses: Where the network says that a computer may be.
    func update(_ desktops: [PairedDesktop], addresses: (PairedDesktop) -> [URL]) async {
        let wanted = Dictionary(desktops.filter { !$0.isEndToEnd }.map { ($0.pcPeerID, $0) }, uniquingKeysWith: { $1 })
        for id in links.keys where wanted[id] == nil { await remove(id) }
        for desktop in wanted.values { await look(for: desktop, localServers: addresses(desktop)) }
    }

    /// The link to an unsealed computer.
    func link(to desktop: PairedDesktop) async -> ClearLink {
        if let link = links[desktop.pcPeerID] { return link }
        await look(for: desktop, localServers: [])
        return links[desktop.pcPeerID] ?? makeLink(to: desktop)
    }

    func path(to desktopID: String) -> LinkKind? {
        guard case .connected(let path) = links[desktopID]?.state else { return nil }
        return path
    }

    func close() async {
        isClosed = true
        for id in Array(links.keys) { await remove(id) }
        await following.end()
    }

    private func makeLink(to desktop: PairedDesktop) -> ClearLink {
        ClearLink(desktop: desktop, mobileDID: mobileDID, features: features, time: time)
    }

    private func look(for desktop: PairedDesktop, localServers: [URL]) async {
        guard !isClosed else { return }
        let link = links[desktop.pcPeerID] ?? makeLink(to: desktop)
        if links.updateValue(link, forKey: desktop.pcPeerID) == nil { following.add { await link.followState() } }
        await link.update(desktop)
        let local = ([desktop.lanSignalingURL].compactMap(\.self) + localServers).prefix(Self.serverLimit)
        let wanted =
            local.map { ($0, LinkKind.lan) } + [desktop.relayURL].compactMap(\.self).map { ($0, LinkKind.relay) }
        for (url, kind) in wanted where retained[desktop.pcPeerID]?.contains(url) != true {
            // Before anything is awaited: another call must not look there too.
            retained[desktop.pcPeerID, default: []].append(url)
            do {
                let client = try await network.retain(url)
                await link.add(url, kind: kind, client: client)
                await link.serverState(client.state.presence != nil, at: url)
            } catch {
                retained[desktop.pcPeerID]?.removeAll { $0 == url }
                logger.notice("address not usable", metadata: ["desktop": "\(desktop.pcPeerID)", "reason": "\(error)"])
            }
        }
        for url in retained[desktop.pcPeerID] ?? [] where !wanted.contains(where: { $0.0 == url }) {
            await release(url, of: desktop.pcPeerID)
        }
    }

    private func release(_ url: URL, of id: PairedDesktop.ID) async {
        retained[id]?.removeAll { $0 == url }
        await links[id]?.remove(url)
        await network.release(url)
    }

    private func remove(_ id: PairedDesktop.ID) async {
        let link = links.removeValue(forKey: id)
        await link?.close()
        for url in retained.removeValue(forKey: id) ?? [] { await network.release(url) }
    }
}
