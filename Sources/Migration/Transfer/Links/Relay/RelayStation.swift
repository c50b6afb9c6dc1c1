import Foundation
import Kernel
import Sealing
import Signaling
import Synchronization

/// This phone at one hub for the length of a move, with the links that the hub carries for it. It registers under a key that is made for the move, so
/// that neither the hub nor another program of this phone takes it for the phone itself.
final class RelayStation: Sendable {
    /// Links that wait to be served; the oldest of more makes room.
    private static let waitingLimit = 8
    /// Between two frames that ask for a link.
    private static let openInterval = Duration.milliseconds(1200)
    /// How long the last words to the peers may hold up the end.
    private static let farewell = Duration.seconds(2)

    private struct State {
        var links: [RelayLink.Key: RelayLink] = [:]
        var waiting: [RelayLink] = []
        var isClosed = false
        var stopObserving: (@Sendable () -> Void)?
        /// Sends the words of ``outbox``.
        var speaking: Task<Void, Never>?
    }

    private let client: any MaintainedSignalClient
    private let place: RelayPlace
    private let time: any TimeSource
    private let accepts: Bool
    private let state = Mutex(State())
    private let arrived = WakeSignal()
    private let words: AsyncStream<(RelayLink.Key, RelayFrame.Content)>
    private let outbox: AsyncStream<(RelayLink.Key, RelayFrame.Content)>.Continuation

    /// - Parameter accepts: Whether links that others open are taken.
    private init(_ place: RelayPlace, _ client: any MaintainedSignalClient, accepts: Bool, time: any TimeSource) {
        self.client = client
        self.place = place
        self.accepts = accepts
        self.time = time
        // Words are few for a link, and links are bounded.
        (words, outbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Registers at the hub, and again after each loss, until ``close()``.
    ///
    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    static func open(
        _ place: RelayPlace,
        as identity: Identity,
        accepts: Bool,
        through access: SignalAccess,
        time: any TimeSource
    ) async throws(MigrationTransferError) -> RelayStation {
        let station = RelayStation(place, access.makeClient(identity, nil), accepts: accepts, time: time)
        station.start()
        do {
            try await station.client.maintain(
                place.hub,
                as: identity.did.text,
                device: SignalDevice(category: .mobile)
            )
        } catch {
            await station.close()
            throw .badAddress(what: place.description)
        }
        return station
    }

    private func start() {
        let stop = client.observe { [weak self] in self?.receive($0) }
        let speaking = Task { [words, client] in
            for await (key, content) in words {
                // A word that is lost leaves the peer with a link that falls silent, which it gives up by itself.
                try? await client.sendBinary(RelayFrame(link: key.link, content: content).binary, to: key.peer)
            }
        }
        state.withLock { ($0.stopObserving, $0.speaking) = (stop, speaking) }
    }

    // MARK: The hub

    /// Returns once the hub carries frames.
    ///
    /// - Throws: ``MigrationTransferError/hubUnreachable(hub:)``, ``MigrationTransferError/hubCarriesNoMoves(hub:)``; `CancellationError`.
    func untilRegistered(within limit: Duration) async throws {
        client.hurry()
        let failure = MigrationTransferError.hubUnreachable(hub: place.hubName)
        try await withTimeout(limit, on: time, throwing: failure) { [self] in
            for await state in client.states() {
                if case .refused = state { throw failure }
                guard let presence = state.presence else { continue }
                guard presence.hasBinary else { throw MigrationTransferError.hubCarriesNoMoves(hub: place.hubName) }
                return
            }
            throw CancellationError()
        }
    }

    /// Returns when the task is cancelled.
    ///
    /// - Throws: ``MigrationTransferError/hubCarriesNoMoves(hub:)`` once the hub turns out to be one.
    func untilUseless() async throws {
        for await state in client.states() {
            guard let presence = state.presence, !presence.hasBinary else { continue }
            throw MigrationTransferError.hubCarriesNoMoves(hub: place.hubName)
        }
    }

    private func receive(_ event: SignalEvent) {
        switch event {
        case .binary(let peer, let frame):
            guard let frame = RelayFrame(frame) else { return }
            take(frame.content, RelayLink.Key(peer: peer, link: frame.link))
        case .peerOffline(let notice): endLinks(with: notice.peerID)
        case .peerStatus(let status) where !status.isOnline: endLinks(with: status.peerID)
        case .binaryRefused(let peer): endLinks(with: peer)
        default: break
        }
    }

    private func take(_ content: RelayFrame.Content, _ key: RelayLink.Key) {
        if content == .open { return opened(key) }
        let link = state.withLock { state in
            content == .close ? state.links.removeValue(forKey: key) : state.links[key]
        }
        link?.take(content)
    }

    private func opened(_ key: RelayLink.Key) {
        guard accepts else { return }
        let (isThere, earlier, surplus) = state.withLock { state -> (Bool, [RelayLink], RelayLink?) in
            // It is asked for until it is accepted.
            guard !state.isClosed, state.links[key] == nil else { return (!state.isClosed, [], nil) }
            // A phone that opens another link has given up the one before, whose end a hub that restarts passes on to nobody.
            let earlier = Self.removeLinks(with: key.peer, from: &state)
            let link = makeLink(key, isAccepted: true)
            state.links[key] = link
            state.waiting.append(link)
            return (true, earlier, state.waiting.count > Self.waitingLimit ? state.waiting.removeFirst() : nil)
        }
        for link in earlier { link.end(nil) }
        surplus?.close()
        guard isThere else { return }
        outbox.yield((key, .accept))
        arrived.set()
    }

    private func endLinks(with peer: String) {
        let ended = state.withLock { Self.removeLinks(with: peer, from: &$0) }
        for link in ended { link.end(nil) }
    }

    private static func removeLinks(with peer: String, from state: inout State) -> [RelayLink] {
        let ended = state.links.filter { $0.key.peer == peer }
        for key in ended.keys { state.links[key] = nil }
        state.waiting.removeAll { $0.key.peer == peer }
        return Array(ended.values)
    }

    private func makeLink(_ key: RelayLink.Key, isAccepted: Bool) -> RelayLink {
        RelayLink(key, over: client, isAccepted: isAccepted) { [weak self] key in
            self?.state.withLock { _ = $0.links.removeValue(forKey: key) }
            self?.outbox.yield((key, .close))
        }
    }

    // MARK: Links

    /// One attempt to reach the phone that is registered under an id.
    ///
    /// - Throws: ``MigrationTransferError/linkLost`` where it does not answer in time; `CancellationError`.
    func dial(_ peer: String, within limit: Duration) async throws -> RelayLink {
        let key = RelayLink.Key(peer: peer, link: UInt64.random(in: .min ... .max))
        let link = makeLink(key, isAccepted: false)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.links[key] = link }
            return state.isClosed
        }
        guard !isClosed else { throw MigrationTransferError.linkLost }
        do {
            try await withTimeout(limit, on: time, throwing: MigrationTransferError.linkLost) {
                try await self.open(link)
            }
        } catch {
            link.close()
            // Silence may be the connection's, which looks alive for a while.
            if !(error is CancellationError) { client.checkConnection() }
            throw error
        }
        return link
    }

    /// Asks for a link until it is there.
    ///
    /// - Throws: ``MigrationTransferError/linkLost`` also once the hub is lost, since what asked for the link may have been, too.
    private func open(_ link: RelayLink) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [client, time] group in
            defer { group.cancelAll() }
            group.addTask { try await link.untilAccepted() }
            group.addTask {
                // A hub says that somebody is away once a second at most, and nothing in between.
                repeat { try await link.open() } while await time.pause(for: Self.openInterval)
                throw CancellationError()
            }
            group.addTask {
                for await state in client.states() where state.presence == nil { break }
                throw MigrationTransferError.linkLost
            }
            _ = try await group.next()
        }
    }

    /// The next link that somebody opened.
    ///
    /// - Throws: ``MigrationTransferError/linkLost`` once this is closed; `CancellationError`.
    func accept() async throws -> RelayLink {
        while true {
            try Task.checkCancellation()
            let (link, isClosed) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
            }
            if let link { return link }
            guard !isClosed else { throw MigrationTransferError.linkLost }
            await arrived.wait()
        }
    }

    /// Ends all links, tells the peers so, and leaves the hub.
    func close() async {
        let (links, stop, speaking) = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return (Array(state.links.values), state.stopObserving, state.speaking)
        }
        for link in links { link.close() }
        arrived.set()
        outbox.finish()
        stop?()
        // The words that were put are sent first, where the hub takes them.
        _ = await endsWithin(Self.farewell, on: time) { await speaking?.value }
        speaking?.cancel()
        await client.disconnect()
    }
}
