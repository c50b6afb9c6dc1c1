public import Foundation
public import Kernel
public import Logging
public import Sealing
import Synchronization
public import Transport

/// The signaling client over a WebSocket: one connection to one server under one id. Every listener gets all events.
public actor WebSocketSignalClient: SignalClient {
    let identity: Identity?
    let configuration: SignalClientConfiguration
    let dial: WebSocketDialer
    let time: any TimeSource
    let logger: Logger

    struct Wanted: Sendable {
        let id: String
        let device: SignalDevice
    }

    /// The registration to hold. Only ``register(as:device:)`` and ``maintain(_:as:device:)`` set it: messages to or from other ids
    /// do not change who we are.
    var wanted: Wanted?
    var channel: (any WebSocketChannel)?
    var routes = BinaryRoutes()
    var registrationOutcome: Result<SignalRegistered, SignalError>?
    var isRegistering = false
    let registrationAnswers = FIFOWaiters()
    var lastHeardAt: ContinuousClock.Instant?
    /// The value of ``TimeSource/slept`` at ``lastHeardAt``.
    var sleptWhenHeard = Duration.zero
    let events = Broadcaster<SignalEvent>(capacity: 512)
    let latestState = LatestValue(SignalClientState.disconnected, capacity: 16)
    private let latestProblem = LatestValue<SignalProblem?>(nil)
    /// Whether a notice said that the server is not reached.
    private var isMissed = false
    private let latestAddress = Mutex<String?>(nil)
    /// Requests to check whether the server is still there.
    let checks = Broadcaster<ConnectionDoubt>(capacity: 1)
    private let nudges = Broadcaster<SignalNudge>(capacity: 1)
    /// When ``resume()`` was last called. A try that was under way then may have failed for a reason that is over.
    private let resumedAt = Mutex<ContinuousClock.Instant?>(nil)
    /// When ``overtake()`` was last called.
    let overtakenAt = Mutex<ContinuousClock.Instant?>(nil)
    /// Whether the connection was found dead, so that the next one is made without a wait.
    var reconnectsAtOnce = false
    var registeredAt: ContinuousClock.Instant?

    private var url: URL?
    private var supervisor: Task<Void, Never>?
    private var backoff: Backoff
    /// The count of connects and disconnects, by which a task that waited recognises its own connection.
    private var run = 0
    /// Whether this actor registers by itself; otherwise a caller calls ``register(as:device:)``.
    private var registersByItself = false
    /// When the connection was lost; ``tries`` counts from then.
    private var lostAt: ContinuousClock.Instant?
    private var tries = 0

    /// - Parameters:
    ///   - identity: Proves to servers that ask for it that the id is ours; nil registers without a proof.
    ///   - dial: Opens the socket.
    public init(
        identity: Identity?,
        configuration: SignalClientConfiguration = SignalClientConfiguration(),
        time: any TimeSource = .system,
        logger: Logger,
        dial: @escaping WebSocketDialer = { try await WebSocketConnection.connect(to: $0) }
    ) {
        self.identity = identity
        self.configuration = configuration
        self.time = time
        self.logger = logger
        self.dial = dial
        backoff = configuration.backoff
    }

    /// The state now: connected, registered, or the reason why not.
    public nonisolated var state: SignalClientState { latestState.value }
    public nonisolated func states() -> AsyncStream<SignalClientState> { latestState.values() }
    /// The reason why the server cannot be used now; nil while it can, or before that is known.
    public nonisolated var problem: SignalProblem? { latestProblem.value }
    /// The server's address in numbers, while there is a connection to it.
    public nonisolated var serverAddress: String? { latestAddress.withLock(\.self) }
    public nonisolated func checkConnection() { checks.send(.silence) }

    /// Makes the next try come soon, because a caller waits for something over this server. Cheap: it may be called for every message.
    public nonisolated func hurry() {
        if case .waiting = state { nudges.send(.soon) }
    }

    /// Checks whether the connection still works, and makes another at once if not: the machine slept, or came into another network.
    public nonisolated func resume() { tryAgain(because: .silence) }

    /// Like ``resume()``, for a server behind which a device is reached another way again: a connection over which no answer comes is
    /// given up after a second, even where other data comes or the server's system acknowledges data.
    public nonisolated func overtake() {
        overtakenAt.withLock { $0 = time.now }
        tryAgain(because: .overtaken)
    }

    private nonisolated func tryAgain(because doubt: ConnectionDoubt) {
        resumedAt.withLock { $0 = time.now }
        nudges.send(.now)
        checks.send(doubt)
    }

    public nonisolated func messages() -> AsyncStream<SignalEvent> { events.subscribe { !$0.isBinary } }
    public nonisolated func observe(_ take: @escaping @Sendable (SignalEvent) -> Void) -> @Sendable () -> Void {
        events.observe(take)
    }

    // MARK: Connecting

    public func connect(to url: URL) async throws {
        guard try begin(url) else { return }
        let run = run
        do {
            let channel = try await open(url)
            guard run == self.run else {
                await channel.close()
                throw CancellationError()
            }
            adopt(channel)
            supervisor = Task { await self.supervise(url, first: channel) }
        } catch {
            if run == self.run { ended(.disconnected) }
            throw error
        }
    }

    /// Connects and registers in the background, for however long that takes, until ``disconnect()``.
    ///
    /// - Throws: ``SignalError`` for a server or id that cannot be used.
    public func maintain(_ url: URL, as id: String, device: SignalDevice) throws {
        if let wanted, wanted.id != id { throw SignalError.alreadyRegistered(as: wanted.id) }
        wanted = Wanted(id: id, device: device)
        guard try begin(url) else { return }
        supervisor = Task { await self.supervise(url, first: nil) }
    }

    /// - Returns: False when there is a connection to `url` already.
    private func begin(_ url: URL) throws -> Bool {
        try configuration.policy.check(url)
        if let known = self.url, known != url { throw SignalError.alreadyConnected(to: known.absoluteString) }
        switch state {
        case .disconnected: break
        // A person asked for it, so it does not wait for the minutes to pass.
        case .replaced, .refused: supervisor?.cancel()
        case .connecting, .connected, .registered, .waiting: return false
        }
        self.url = url
        run += 1
        backoff = configuration.backoff
        lostAt = nil
        tries = 0
        latestProblem.set(nil)
        isMissed = false
        latestState.set(.connecting)
        return true
    }

    public func disconnect() async {
        let channel = channel
        let supervisor = supervisor
        ended(.disconnected)
        supervisor?.cancel()
        await channel?.close()
        await supervisor?.value
    }

    public func reset() async {
        wanted = nil
        url = nil
        await disconnect()
    }

    private func ended(_ state: SignalClientState) {
        run += 1
        supervisor = nil
        leave()
        registrationAnswers.wakeAll()
        latestState.set(state)
    }

    private func open(_ url: URL) async throws -> any WebSocketChannel {
        let limit = configuration.connectTimeout(to: url, try: tries)
        tries += 1
        return try await withTimeout(limit, on: time, throwing: SignalError.timedOut(after: limit)) { [dial] in
            try await dial(url)
        }
    }

    /// Makes and serves one connection after the other, until told to stop.
    private func supervise(_ url: URL, first: (any WebSocketChannel)?) async {
        let run = run
        var next = first
        // `connect` has tried once already.
        var skipsWait = first == nil
        while !Task.isCancelled, run == self.run {
            if let channel = next {
                next = nil
                let startedAt = time.now
                await serve(channel)
                guard run == self.run else { return }
                skipsWait = reconnectsAtOnce
                if case .byPeer(.replaced, _) = channel.closure {
                    note(SignalError.replacedByAnother)
                    latestState.set(.replaced)
                    let patience = configuration.replacedPatience
                    // Where this was cancelled, the caller that cancelled goes on from here.
                    guard await time.pause(for: patience), run == self.run else { return }
                    skipsWait = true
                }
                if case .failure(let error) = registrationOutcome, error.isFinal {
                    note(error)
                    latestState.set(.refused(error))
                    // The server's owner can resolve it. Where this was cancelled, the caller that cancelled goes on from here.
                    guard await rest(configuration.refusedPatience), run == self.run else { return }
                    skipsWait = true
                }
                lostAt = time.now
                if hasHeld(channel, since: startedAt) || reconnectsAtOnce { backoff.reset() }
                reconnectsAtOnce = false
                if registeredAt != nil { note(SignalError.connectionLost) }
            }
            if skipsWait {
                skipsWait = false
            } else {
                let wait = backoff.next()
                latestState.set(.waiting(retryIn: wait))
                guard await rest(wait), run == self.run else { return }  // cancelled
            }
            latestState.set(.connecting)
            let triedAt = time.now
            do {
                let channel = try await open(url)
                guard run == self.run else {
                    await channel.close()
                    return
                }
                adopt(channel)
                next = channel
            } catch {
                guard run == self.run else { return }
                note(error)
                skipsWait = resumedAt.withLock(\.self).map { $0 > triedAt } ?? false
            }
        }
        await next?.close()
    }

    /// Whether the connection was good, so that its end resets the backoff. One that the server ended must have lasted longer, so
    /// that two devices with one id do not chase each other.
    private func hasHeld(_ channel: any WebSocketChannel, since startedAt: ContinuousClock.Instant) -> Bool {
        let now = time.now
        if now - startedAt >= configuration.settledAfter { return true }
        if case .byPeer(let code, _) = channel.closure, code != .goingAway { return false }
        return registeredAt.map { now - $0 >= configuration.heldAfter } ?? false
    }

    /// Waits before the next try, for a shorter time when a caller needs the connection.
    ///
    /// - Returns: False when cancelled.
    private func rest(_ wait: Duration) async -> Bool {
        let began = time.now
        let isFresh = lostAt.map { began - $0 < configuration.hurriedFor } ?? true
        let least = isFresh ? configuration.hurriedWait(to: url) : configuration.lateHurriedWait
        let nudges = nudges.subscribe()
        return await withTaskGroup(of: Bool?.self) { [time] group in
            group.addTask { await time.pause(until: began + wait) }
            group.addTask {
                for await nudge in nudges {
                    guard nudge != .now, time.now < began + least else { return true }
                    return await time.pause(until: began + least)
                }
                return nil
            }
            defer { group.cancelAll() }
            for await result in group { if let result { return result && !Task.isCancelled } }
            return false
        }
    }

    /// Logs a new problem once, and keeps the time of the first one.
    func note(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        let reason = "\(error)"
        let known = latestProblem.value
        let isLost = error as? SignalError == .connectionLost
        // A lost connection does not replace a known problem, which says at least as much.
        if known != nil, isLost { return }
        guard known?.reason != reason else { return }
        latestProblem.set(SignalProblem(reason: reason, since: known?.since ?? time.date))
        // A connection that ends is mostly back at once, and ends with this program, too: a notice is for a server that is not reached again.
        isMissed = isMissed || !isLost
        let host = url?.host(percentEncoded: false) ?? ""
        logger.log(
            level: isLost ? .info : .notice,
            isLost ? "connection to the server lost" : "server not reached",
            metadata: ["server": "\(host)", "reason": "\(reason)"]
        )
    }

    /// Notes that the server registered us, and clears the problem.
    func noteRegistered() {
        registeredAt = time.now
        lostAt = nil
        guard latestProblem.value != nil else { return }
        latestProblem.set(nil)
        logger.log(
            level: isMissed ? .notice : .info,
            "server reached again",
            metadata: ["server": "\(url?.host(percentEncoded: false) ?? "")"]
        )
        isMissed = false
    }

    private func adopt(_ channel: any WebSocketChannel) {
        self.channel = channel
        latestAddress.withLock { $0 = channel.remoteAddress }
        routes = BinaryRoutes()
        registrationOutcome = nil
        isRegistering = false
        registeredAt = nil
        reconnectsAtOnce = false
        tries = 0
        registersByItself = wanted != nil
        noteHeard()
        latestState.set(.connected)
    }

    /// Serves a channel until its end.
    private func serve(_ channel: any WebSocketChannel) async {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await channel.readMessages { await self.receive($0, on: channel) }
                return true
            }
            group.addTask {
                await self.keepAlive(channel)
                return false
            }
            if registersByItself {
                group.addTask {
                    await self.registerAgain(on: channel)
                    return false
                }
            }
            for await isOver in group where isOver { group.cancelAll() }
        }
        guard isCurrent(channel) else { return }
        leave()
        isRegistering = false
        registrationAnswers.wakeAll()
    }

    private func leave() {
        channel = nil
        latestAddress.withLock { $0 = nil }
    }

    func isCurrent(_ other: any WebSocketChannel) -> Bool {
        channel === other
    }
}
