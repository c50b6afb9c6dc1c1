package import Kernel
import Synchronization

/// Opens the direct connection to one peer when a transfer could use one, and gives it to the link of its transfers. No transfer waits for
/// that. Source: `docs/protocol.md` 2.12.4.
package final class BulkDialer: Sendable {
    /// Where the peer is reached without a relay now, and what the session with it gives.
    package struct Place: Sendable {
        /// In numbers, the best first.
        package let addresses: [String]
        /// The session's id, 16 bytes.
        package let session: [UInt8]
        /// 32 bytes, the session's `NoiseKeys.bulkSecret`.
        package let secret: [UInt8]

        package init(addresses: [String], session: [UInt8], secret: [UInt8]) {
            self.addresses = addresses
            self.session = session
            self.secret = secret
        }
    }

    /// The way that parts take now, for people.
    package enum Way: Hashable, Sendable {
        /// Over a connection of its own, at this address.
        case direct(address: String)
        /// Through the session; with why a direct connection failed last.
        case session(BulkError?)
    }

    /// Nil where the peer is not reached directly.
    package typealias Locate = @Sendable () async -> Place?
    /// Asks the peer for a ticket, naming a transfer that is under way.
    package typealias Ask = @Sendable (TransferID) async throws -> BulkOffer

    private struct State {
        var rule = DialingRule()
        var pausedUntil: ContinuousClock.Instant?
        var isDialing = false
        var isClosed = false
        var link: BulkByteLink?
        var way = Way.session(nil)
    }

    /// Addresses that are tried for one ticket, which lasts ten seconds.
    private static let addressLimit = 3
    /// How long it waits before it looks again whether the peer is reached directly.
    static let look = Duration.seconds(2)
    /// How long it waits after a connection was cut with parts under way, or a ticket refused.
    static let rest = Duration.seconds(10)

    private let chosen: ChosenByteLink
    private let time: any TimeSource
    private let patience: Duration
    private let locate: Locate
    private let ask: Ask
    private let work = BlockingWork("tandem.dial", width: 1)
    private let tasks = OwnedTasks()
    private let state = Mutex(State())

    /// - Parameter patience: How long a connection may stand still.
    package init(
        _ chosen: ChosenByteLink,
        time: any TimeSource,
        patience: Duration = BulkLimits.stallTime,
        locate: @escaping Locate,
        ask: @escaping Ask
    ) {
        self.patience = patience
        self.chosen = chosen
        self.time = time
        self.locate = locate
        self.ask = ask
    }

    package var way: Way { state.withLock(\.way) }
    /// Whether an attempt is under way.
    var isDialing: Bool { state.withLock(\.isDialing) }

    /// A part of a transfer would go faster directly: begins to dial, unless there is a connection, or none is likely to come about now.
    /// Returns at once; for every part.
    package func wish(for transfer: TransferID) {
        let now = time.now
        let begins = state.withLock { state in
            guard !state.isClosed, !state.isDialing, state.link == nil, state.pausedUntil.map({ now >= $0 }) ?? true
            else { return false }
            state.isDialing = true
            return true
        }
        if begins { tasks.add { [self] in await dial(for: transfer) } }
    }

    /// The peer is reached anew: what failed before says nothing, and a connection to where it is reached no more is left.
    package func networkChanged() {
        let (isConnected, isClosed) = state.withLock { state in
            state.rule.networkChanged()
            state.pausedUntil = nil
            return (state.link != nil, state.isClosed)
        }
        guard isConnected, !isClosed else { return }
        tasks.add { [self] in await leaveOldAddress() }
    }

    /// An address that is gone answers nothing, not even that it is gone: the parts there would wait until the connection counts as standing
    /// still, while the session is where the peer is.
    private func leaveOldAddress() async {
        guard let place = await locate() else { return }
        let link = state.withLock { state -> BulkByteLink? in
            guard case .direct(let address) = state.way, !place.addresses.contains(address) else { return nil }
            defer { (state.link, state.way) = (nil, .session(nil)) }
            return state.link
        }
        guard let link else { return }
        chosen.leave(link)
        link.end()
    }

    /// Ends the connection, and dials no more. Returns when a dial under way has ended, which takes seconds at most.
    package func close() async {
        let link = state.withLock { state in
            state.isClosed = true
            return state.link
        }
        link?.end()
        await tasks.end()
    }

    private func dial(for transfer: TransferID) async {
        let pause = await attempt(for: transfer)
        let until = pause.map { time.now + $0 }
        state.withLock { state in
            state.isDialing = false
            state.pausedUntil = until
        }
    }

    /// - Returns: How long to wait before the next attempt; nil where this one has brought a connection.
    private func attempt(for transfer: TransferID) async -> Duration? {
        guard let before = await locate() else { return Self.look }
        let now = time.now
        let addresses = state.withLock { state in before.addresses.filter { state.rule.allows($0, now: now) } }
        guard !addresses.isEmpty, let offer = try? await ask(transfer) else { return Self.rest }
        // Where the session is another by now than the one that the ticket was given in, the next attempt asks again.
        guard let place = await locate(), place.session == offer.session else { return Self.look }
        let keys = BulkKeys(secret: place.secret, ticket: offer.ticket)
        for address in addresses.prefix(Self.addressLimit) where place.addresses.contains(address) {
            do {
                let connection = try await work.run { [patience] in
                    let socket = try BulkSocket.connect(to: address, port: offer.port)
                    return try BulkConnection.dial(socket, offer.ticket, keys, patience: patience)
                }
                return begin(connection, at: address) ? nil : Self.rest
            } catch let error as BulkError {
                failed(address, error)
                // The ticket is used up once anything was said.
                guard case .unreachable = error else { return Self.rest }
            } catch {
                return Self.rest
            }
        }
        return Self.rest
    }

    private func failed(_ address: String, _ error: BulkError) {
        let now = time.now
        state.withLock { state in
            state.rule.failed(address, now: now)
            state.way = .session(error)
        }
    }

    /// - Returns: Whether the connection is used.
    private func begin(_ connection: BulkConnection, at address: String) -> Bool {
        let link = BulkByteLink(connection) { [weak self] in self?.ended($0, $1, parts: $2) }
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            state.link = link
            state.way = .direct(address: address)
            return true
        }
        guard isOpen else {
            link.end()
            return false
        }
        chosen.use(link)
        // It may have ended before it was known here.
        guard link.isUsable else {
            ended(link, .truncated, parts: 0)
            return false
        }
        return true
    }

    /// One that was idle, or carried as many transfers as one may, is dialed again with the next part. One that broke is left alone for a
    /// while.
    private func ended(_ link: BulkByteLink, _ reason: BulkError, parts: Int) {
        chosen.leave(link)
        let isBroken = parts > 0 && reason != .exhausted
        let until = isBroken ? time.now + Self.rest : nil
        state.withLock { state in
            guard state.link === link else { return }
            state.link = nil
            state.way = .session(isBroken ? reason : nil)
            state.pausedUntil = until
        }
    }
}
