import Kernel
import Synchronization
import Transport

/// Makes, feeds and ends the links of one ``SignalLinkSource``.
final class SingleLinkFeed: Sendable {
    private struct State {
        var link: SignalLink?
        var isRegistered = false
        var isFinished = false
        var backoff: Backoff
    }

    /// The waits before each ``retry()``.
    let retries: AsyncStream<Duration>
    private let client: any SignalClient
    private let peer: String
    private let kind: LinkKind
    private let links: AsyncStream<any Link>.Continuation
    private let retryRequests: AsyncStream<Duration>.Continuation
    private let state: Mutex<State>

    init(
        client: any SignalClient,
        peer: String,
        kind: LinkKind,
        backoff: Backoff,
        links: AsyncStream<any Link>.Continuation
    ) {
        self.client = client
        self.peer = peer
        self.kind = kind
        self.links = links
        (retries, retryRequests) = AsyncStream.makeStream(of: Duration.self, bufferingPolicy: .bufferingNewest(1))
        state = Mutex(State(backoff: backoff))
    }

    func changed(to clientState: SignalClientState) {
        let isRegistered = clientState.presence != nil
        let wasRegistered = state.withLock { state in
            defer { state.isRegistered = isRegistered }
            return state.isRegistered
        }
        if !isRegistered {
            endLink()
        } else if !wasRegistered {
            makeLink()
        }
    }

    func receive(_ event: SignalEvent) {
        switch event {
        case .peerOffline(let notice) where notice.peerID == peer:
            endLink()
            askForRetry()
        case .peerStatus(let status) where status.peerID == peer:
            if status.isOnline { makeLink() } else { endLink() }
        default:
            guard let (from, frame) = LinkFrame.received(event), from == peer else { return }
            state.withLock { $0.backoff.reset() }
            makeLink()
            state.withLock(\.link)?.deliver(frame)
        }
    }

    func retry() { makeLink() }

    func finish() {
        state.withLock { $0.isFinished = true }
        retryRequests.finish()
        endLink()
    }

    /// Makes a link, unless there is one, the client is not registered, or the feed is finished.
    private func makeLink() {
        let link: SignalLink? = state.withLock { state in
            guard state.isRegistered, !state.isFinished, state.link == nil else { return nil }
            let link = SignalLink(client: client, peer: peer, kind: kind) { [weak self] in self?.sessionGaveUp() }
            state.link = link
            return link
        }
        if let link { links.yield(link) }
    }

    private func endLink() {
        let link = state.withLock { state in
            defer { state.link = nil }
            return state.link
        }
        link?.end()
    }

    private func sessionGaveUp() {
        state.withLock { $0.link = nil }
        askForRetry()
    }

    private func askForRetry() {
        retryRequests.yield(state.withLock { $0.backoff.next() })
    }
}
