import CommandClient
import Foundation
import Kernel
import Logging
import Signaling
import Synchronization
import Transport

/// Every way to one computer: the servers where it is looked for, and what they say about it.
actor ComputerWays {
    private struct Entry {
        let client: any MaintainedSignalClient
        let source: LinkSourceID
        let presence: ComputerPresence
        let stopObserving: @Sendable () -> Void
    }

    /// The state that is read for every message, without a turn of the actor.
    private struct Shared {
        var clients: [any MaintainedSignalClient] = []
        var hurriedAt: ContinuousClock.Instant?
    }

    /// A computer that left, or was not there at the start, may be on its way: no caller is told before that it is away.
    static let grace = Duration.seconds(3)
    /// A way that worked for a moment after the computer came back, and then did not, holds back what was dropped before.
    private static let settling = Duration.seconds(5)
    /// The time that a call leaves the tries that it woke, where no server answered before: a server that is there again is then used by
    /// the first call, which is not told of what was.
    static let wokenTry = Duration.milliseconds(1500)

    private let desktopID: String
    private let name: String
    private let connection: PeerConnection
    private let network: SignalNetwork
    private let time: any TimeSource
    private let logger: Logger
    private var entries: [ComputerWay: Entry] = [:]
    private var next: [ComputerWay]?
    private var isChanging = false
    private var isClosed = false
    /// The time since which the computer is not reached; nil while it is.
    private var awaySince: ContinuousClock.Instant?
    /// When it was reached again last, and the way in use since.
    private var back: (at: ContinuousClock.Instant, path: LinkKind)?
    private let shared = Mutex(Shared())

    init(
        desktopID: String,
        name: String,
        connection: PeerConnection,
        network: SignalNetwork,
        time: any TimeSource,
        logger: Logger
    ) {
        self.desktopID = desktopID
        self.name = name
        self.connection = connection
        self.network = network
        self.time = time
        self.logger = logger
        awaySince = time.now
    }

    // MARK: Where to look

    /// Each way, and whether its server is there.
    var current: [ComputerWay: Bool] {
        entries.mapValues { $0.client.state.presence != nil || $0.client.problem == nil }
    }

    /// Looks for the computer there from now on, and nowhere else.
    func use(_ ways: [ComputerWay]) async {
        next = ways
        // The call that changes them already looks again.
        guard !isChanging else { return }
        isChanging = true
        defer { isChanging = false }
        while let ways = next, !isClosed {
            next = nil
            for way in ways where entries[way] == nil && !isClosed { await add(way) }
            for way in entries.keys where !ways.contains(way) { await drop(way) }
        }
        if isClosed { for way in entries.keys { await drop(way) } }
    }

    /// How the computer is reached without a relay now; nil while it is not.
    func direct() async -> DirectWay? {
        guard case .connected(.lan) = connection.state, let secret = await connection.bulkSecret else { return nil }
        let addresses = entries.filter {
            $0.key.kind == .lan && $0.value.client.state.presence != nil && !$0.value.presence.isAway
        }
        .compactMap { Self.dialable($0.key.url, connectedTo: $0.value.client.serverAddress) }
        return DirectWay(addresses: Set(addresses).sorted(), secret: secret)
    }

    /// The address in numbers at which another connection reaches a server that is connected to: as its URL says it, or where its name
    /// led. A name is not looked up again, which may take long, and may lead elsewhere by then: to another machine, or to a service of this
    /// one.
    ///
    /// - Returns: Nil where nothing can be dialed.
    static func dialable(_ url: URL, connectedTo address: String?) -> String? {
        guard let host = url.host(percentEncoded: false) else { return nil }
        // A host in brackets is an IPv6 address as URLs write it.
        let literal = host.trimmingCharacters(in: ["[", "]"])
        if NetworkAddress(text: literal) != nil { return literal }
        guard let address, let found = NetworkAddress(text: address) else { return nil }
        // One that is good on one link only needs the interface's name, which is lost here.
        let isLinkLocal = found.bytes.count == 16 && found.bytes[0] == 0xFE && found.bytes[1] & 0xC0 == 0x80
        return isLinkLocal ? nil : found.text
    }

    private func add(_ way: ComputerWay) async {
        let client: any MaintainedSignalClient
        do {
            client = try await network.retain(way.url)
        } catch {
            logger.notice("address not usable", metadata: ["desktop": "\(desktopID)", "reason": "\(error)"])
            return
        }
        let presence = ComputerPresence(desktopID: desktopID)
        let stop = client.observe { presence.take($0) }
        let source = await connection.add(SignalLinkSource(client: client, peer: desktopID, kind: way.kind, time: time))
        entries[way] = Entry(client: client, source: source, presence: presence, stopObserving: stop)
        shared.withLock { $0.clients.append(client) }
    }

    private func drop(_ way: ComputerWay) async {
        guard let entry = entries.removeValue(forKey: way) else { return }
        entry.stopObserving()
        shared.withLock { $0.clients.removeAll { $0 === entry.client } }
        await connection.remove(entry.source)
        await network.release(way.url)
    }

    func close() async {
        isClosed = true
        guard !isChanging else { return }
        for way in entries.keys { await drop(way) }
    }

    // MARK: Whether it is there

    /// Takes a state of the session; call it for each.
    func changed(to state: PeerConnectionState) {
        if case .connected(let path) = state {
            let isBack = awaySince != nil
            if isBack || back.map({ $0.path != path && time.now - $0.at < Self.settling }) ?? false {
                // It is back one way, so it may be back the other ways too: a computer that slept is behind all of them.
                for (way, entry) in entries {
                    if way.kind == path { entry.client.resume() } else { entry.client.overtake() }
                }
            }
            awaySince = nil
            back = (isBack ? time.now : back?.at ?? time.now, path)
        } else if awaySince == nil {
            awaySince = time.now
        }
    }

    /// Something is sent to the computer: servers that are not there are tried again soon. For every message, at most four times a second.
    nonisolated func noteActivity() {
        let clients = shared.withLock { shared -> [any MaintainedSignalClient] in
            let now = time.now
            if let last = shared.hurriedAt, now - last < .milliseconds(250) { return [] }
            shared.hurriedAt = now
            return shared.clients
        }
        for client in clients { client.hurry() }
    }

    /// Returns once a message would arrive now. Nothing is sent for a computer that is away, so nothing is done when it is back that
    /// no caller waits for any more.
    ///
    /// - Throws: ``PhoneError/away(name:)`` or ``PhoneError/unreachable(name:)`` once that is known, the second one not before the tries
    ///   that this call woke had ``wokenTry``; `RemoteError.notConnected` after `limit`.
    nonisolated func reach(within limit: Duration, throwing late: any Error) async throws {
        if Self.isUsable(connection.state) { return }
        noteActivity()
        let states = connection.states()
        let began = time.now
        let deadline = began + limit
        let woken = began + min(Self.wokenTry, limit / 2)
        try await withThrowingTaskGroup(of: Void.self) { [time] group in
            defer { group.cancelAll() }
            group.addTask {
                for await state in states where Self.isUsable(state) { return }
                try Task.checkCancellation()
            }
            group.addTask {
                while time.now < deadline {
                    if let absence = await self.absence() {
                        guard case .unreachable = absence, time.now < woken else { throw absence }
                    }
                    self.noteActivity()
                    try await time.sleep(for: .milliseconds(200))
                }
                throw late
            }
            try await group.next()
        }
    }

    /// Whether something can be sent: closed and refused say themselves what is wrong when it is.
    private static func isUsable(_ state: PeerConnectionState) -> Bool {
        switch state {
        case .connected, .closed, .refused: true
        case .notConnected, .connecting: false
        }
    }

    /// Why the computer cannot be reached, once that is known: every server that is there says that it is away, and every other one
    /// was tried in vain.
    private func absence() -> PhoneError? {
        guard case .notConnected = connection.state, !entries.isEmpty, let awaySince,
            time.now - awaySince >= Self.grace
        else { return nil }
        var isCutOff = false
        for (way, entry) in entries {
            if entry.client.state.presence != nil {
                guard entry.presence.isAway else { return nil }
            } else {
                guard entry.client.problem != nil else { return nil }
                if way.kind == .relay { isCutOff = true }
            }
        }
        return isCutOff ? .unreachable(name: name) : .away(name: name)
    }
}
