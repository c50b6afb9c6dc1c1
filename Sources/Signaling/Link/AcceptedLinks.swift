import Synchronization
import Transport

/// The links of one ``SignalLinkAcceptor``, by the id of the device at the other end.
final class AcceptedLinks: Sendable {
    /// The largest number of links, because any device can take an id. The link that was quiet longest makes room.
    static let maximumCount = 256

    private struct Entry {
        let link: SignalLink
        let madeAt: UInt64
        var usedAt: UInt64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses: UInt64 = 0
    }

    private let client: any SignalClient
    private let kind: LinkKind
    private let links: AsyncStream<any Link>.Continuation
    private let state = Mutex(State())

    init(client: any SignalClient, kind: LinkKind, links: AsyncStream<any Link>.Continuation) {
        self.client = client
        self.kind = kind
        self.links = links
    }

    func receive(_ event: SignalEvent) {
        switch event {
        case .peerOffline(let notice): end(notice.peerID)
        case .peerStatus(let status) where !status.isOnline: end(status.peerID)
        default:
            guard let (from, frame) = LinkFrame.received(event) else { return }
            deliver(frame, from: from)
        }
    }

    /// A logical time that tells existing links from later ones.
    var mark: UInt64 { state.withLock(\.uses) }

    /// Ends the links that were made up to `mark`, or all without one.
    func endAll(through mark: UInt64 = .max) {
        let ended = state.withLock { state in
            let ended = state.entries.filter { $0.value.madeAt <= mark }
            for peer in ended.keys { state.entries[peer] = nil }
            return ended
        }
        for entry in ended.values { entry.link.end() }
    }

    private func end(_ peer: String) {
        state.withLock { $0.entries.removeValue(forKey: peer) }?.link.end()
    }

    private func deliver(_ frame: LinkFrame, from peer: String) {
        let (link, isNew, displaced) = state.withLock { state -> (SignalLink, Bool, SignalLink?) in
            state.uses += 1
            if let entry = state.entries[peer], !entry.link.isEnded {
                state.entries[peer]?.usedAt = state.uses
                return (entry.link, false, nil)
            }
            var displaced: SignalLink?
            if state.entries.count >= Self.maximumCount {
                let oldest = state.entries.min { $0.value.usedAt < $1.value.usedAt }?.key
                displaced = oldest.flatMap { state.entries.removeValue(forKey: $0)?.link }
            }
            let link = SignalLink(client: client, peer: peer, kind: kind) {}
            state.entries[peer] = Entry(link: link, madeAt: state.uses, usedAt: state.uses)
            return (link, true, displaced)
        }
        displaced?.end()
        link.deliver(frame)
        if isNew { links.yield(link) }
    }
}
