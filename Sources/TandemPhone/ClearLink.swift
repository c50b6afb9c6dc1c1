import CommandClient
import Commands
import Foundation
import Kernel
import Pairing
import Rights
import Signaling
import Transport

/// Commands for one computer that speaks only the documented wire, in the clear through signaling servers. It has the same callers
/// as the sealed session: commands, files in chunks, and events.
actor ClearLink {
    /// How long after a request a server's notice may be about it. Servers send it at once.
    static let noticeTime: Duration = .seconds(1)
    /// How long a computer that was not there is not asked again, where its server does not say when it is back.
    static let awayTime: Duration = .seconds(5)
    /// How long a command waits for the first server that knows this phone.
    static let serverTime: Duration = .seconds(5)

    /// A server at which the computer is looked for.
    private struct Way {
        let url: URL
        let kind: LinkKind
        let client: any SignalClient
        var isRegistered = false
        /// It was heard there, or the server says that it is there.
        var isSeen = false
        /// The time until which it counts as away.
        var awayUntil: ContinuousClock.Instant?

        func isUsable(at now: ContinuousClock.Instant) -> Bool { isRegistered && awayUntil ?? now <= now }
    }

    /// A request that has no answer yet.
    private struct UnderWay {
        let envelope: JSONValue
        let method: String
        let sentAt: ContinuousClock.Instant
        var way: URL
        /// The servers at which the computer was not.
        var tried: Set<URL>
    }

    let desktopID: String
    nonisolated let events = Broadcaster<RemoteEvent>(capacity: 256)
    private let mobileDID: String
    private let time: any TimeSource
    private let latestState = LatestValue(PeerConnectionState.notConnected, capacity: 16)
    private var name: String
    private var rights: Set<Right>
    private var ways: [Way] = []
    private var underWay: [String: UnderWay] = [:]
    private var built: (commands: RemoteCommandClient, parts: ComputerParts)?
    private let features: PeerFeatures
    private let methods: ClearMethodRights

    init(
        desktop: PairedDesktop,
        mobileDID: String,
        features: PeerFeatures,
        time: any TimeSource = .system
    ) {
        desktopID = desktop.pcPeerID
        name = desktop.deviceName
        rights = desktop.clearRights
        self.mobileDID = mobileDID
        self.features = features
        methods = features.clearMethods
        self.time = time
    }

    nonisolated func states() -> AsyncStream<PeerConnectionState> { latestState.values() }
    nonisolated var state: PeerConnectionState { latestState.value }

    /// The record has changed: what the person allows is asked for each command.
    func update(_ desktop: PairedDesktop) {
        name = desktop.deviceName
        rights = desktop.clearRights
    }

    // MARK: Commands

    /// - Throws: ``ClearRefusal`` where nothing may be sent, `RemoteFailure` when the computer refused, `RemoteError`.
    func invoke(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        try await awaitServer(within: min(timeout, Self.serverTime))
        try check(method)
        let request = CommandRequest(id: UUID.randomText(), method: method, params: params)
        defer { underWay[request.id] = nil }
        do {
            return try await commands.invoke(request, timeout: timeout)
        } catch RemoteError.notConnected where ways.contains(where: \.isRegistered) {
            // A server is there, and none of them could hand it on. Not by the times of each: one may be over just now.
            throw ClearRefusal.away(computer: name)
        }
    }

    /// The parts that the features keep for the computer.
    var parts: ComputerParts { build().parts }

    private var commands: RemoteCommandClient { build().commands }

    private func build() -> (commands: RemoteCommandClient, parts: ComputerParts) {
        if let built { return built }
        let commands = RemoteCommandClient(
            mobileDID: mobileDID,
            time: time,
            explain: { [features] in features.explain($0) }
        ) { [weak self] in
            try await self?.send($0)
        }
        let context = ComputerContext(
            id: desktopID,
            call: { [weak self] method, params, timeout, _ in
                guard let self else { throw RemoteError.notConnected }
                return try await self.invoke(method, params, timeout: timeout)
            },
            sendFrame: nil
        )
        let made = (commands, features.parts(for: context))
        built = made
        return made
    }

    /// A server may be just about to know this phone.
    private func awaitServer(within limit: Duration) async throws {
        guard !ways.contains(where: \.isRegistered) else { return }
        try await withTimeout(limit, on: time, throwing: RemoteError.notConnected) { [latestState] in
            for await state in latestState.values() where state != .notConnected { return }
            throw RemoteError.notConnected
        }
    }

    private func check(_ method: String) throws(ClearRefusal) {
        guard let right = methods.right(for: method) else { return }
        guard rights.contains(right) else {
            let meaning = methods.rights[right]?.meaning ?? right.rawValue
            throw .notAllowed(computer: name, right: right, meaning: meaning)
        }
        guard methods.needsDirectWay(right) else { return }
        let now = time.now
        let usable = ways.filter { $0.isUsable(at: now) }
        // With no way at all there is nothing to refuse: the caller is told so.
        if !usable.isEmpty, !usable.contains(where: { $0.kind == .lan }) {
            throw .overRelay(computer: name, method: method)
        }
    }

    /// Hands an envelope to the best server that may carry it.
    private func send(_ envelope: JSONValue) async throws {
        let id = envelope["payload"]?["id"]?.stringValue ?? ""
        let method = envelope["payload"]?["method"]?.stringValue
        // Cancels follow what they cancel.
        if method == nil, let known = underWay[id] {
            guard let way = ways.first(where: { $0.url == known.way }) else { return }
            return try await way.client.send(SignalMessage(to: desktopID, payload: envelope))
        }
        try await send(envelope, id: id, method: method ?? "", tried: [])
    }

    private func send(_ envelope: JSONValue, id: String, method: String, tried: Set<URL>) async throws {
        var tried = tried
        while let way = nextWay(for: method, except: tried) {
            underWay[id] = UnderWay(
                envelope: envelope,
                method: method,
                sentAt: time.now,
                way: way.url,
                tried: tried.union([way.url])
            )
            do {
                return try await way.client.send(SignalMessage(to: desktopID, payload: envelope))
            } catch let error as SignalError {
                if case .messageTooLong = error { throw error }
                tried.insert(way.url)
            }
        }
        throw RemoteError.notConnected
    }

    private func nextWay(for method: String, except tried: Set<URL>) -> Way? {
        let isDirectOnly = methods.right(for: method).map(methods.needsDirectWay) ?? false
        let now = time.now
        return ways.filter {
            $0.isUsable(at: now) && !tried.contains($0.url) && (!isDirectOnly || $0.kind == .lan)
        }.max { ($0.kind, $0.isSeen ? 1 : 0) < ($1.kind, $1.isSeen ? 1 : 0) }
    }

    /// Tells the features' parts when the computer is there and when it has gone, until the link is closed.
    func followState() async {
        for await state in latestState.values() where state != .closed {
            if case .connected = state { await parts.reached() } else { await parts.lost() }
        }
    }

    // MARK: What servers say

    func add(_ url: URL, kind: LinkKind, client: any SignalClient) {
        guard !ways.contains(where: { $0.url == url }) else { return }
        ways.append(Way(url: url, kind: kind, client: client))
    }

    func remove(_ url: URL) {
        ways.removeAll { $0.url == url }
        publish()
    }

    func serverState(_ isRegistered: Bool, at url: URL) async {
        guard let index = ways.firstIndex(where: { $0.url == url }), ways[index].isRegistered != isRegistered else {
            return
        }
        ways[index].isRegistered = isRegistered
        ways[index].isSeen = false
        ways[index].awayUntil = nil
        publish()
        guard isRegistered else { return }
        // Where servers know the question, their answer says whether the computer is there; the others do no harm with it.
        try? await ways[index].client.requestStatus(of: desktopID)
    }

    /// Something from the computer.
    func receive(_ payload: JSONValue, at url: URL) async {
        seen(at: url)
        guard let envelope = ClearEnvelope(payload)?.value else { return }
        if await commands.receive(envelope) { return }
        guard let event = RemoteEvent(envelope: envelope) else { return }
        await parts.receive(event, number: nil)
        events.send(event)
    }

    func seen(at url: URL) {
        guard let index = ways.firstIndex(where: { $0.url == url }), !ways[index].isSeen else { return }
        ways[index].isSeen = true
        ways[index].awayUntil = nil
        publish()
    }

    /// A server says that the computer is not there.
    ///
    /// - Parameter isAnswer: To something that was sent. It does not say to what: if it can have been one request only, that goes
    ///   the other way; if several, each caller is told, since one that was done must not be done twice.
    func left(at url: URL, isAnswer: Bool) async {
        guard let index = ways.firstIndex(where: { $0.url == url }) else { return }
        ways[index].isSeen = false
        if isAnswer { ways[index].awayUntil = time.now + Self.awayTime }
        publish()
        guard isAnswer else { return }
        let earliest = time.now - Self.noticeTime
        let concerned = underWay.filter { $0.value.way == url && $0.value.sentAt >= earliest }
        guard concerned.count == 1, let (id, request) = concerned.first else {
            for id in concerned.keys { await commands.undelivered(id, because: ClearRefusal.away(computer: name)) }
            return
        }
        do {
            try await send(request.envelope, id: id, method: request.method, tried: request.tried)
        } catch {
            await commands.undelivered(id, because: ClearRefusal.away(computer: name))
        }
    }

    private func publish() {
        let seen = ways.filter { $0.isRegistered && $0.isSeen }.map(\.kind).max()
        let state: PeerConnectionState =
            if let seen { .connected(path: seen) } else if ways.contains(where: \.isRegistered) { .connecting } else {
                .notConnected
            }
        latestState.set(state)
    }

    func close() async {
        latestState.set(.closed)
        latestState.finish()
        events.finish()
        guard let built else { return }
        await built.commands.close()
        await built.parts.close()
    }
}
