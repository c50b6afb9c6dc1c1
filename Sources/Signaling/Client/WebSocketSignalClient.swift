public import Foundation
import Kernel
public import Logging
public import Sealing
public import Transport

/// The signaling client over a WebSocket. One connection to one server under one id; what arrives goes to everybody
/// who listens.
public actor WebSocketSignalClient: SignalClient {
    let identity: Identity?
    let configuration: SignalClientConfiguration
    let dial: WebSocketDialer
    let time: SessionTime
    let logger: Logger

    struct Wanted: Sendable {
        let id: String
        let device: SignalDevice
    }

    /// Only ``register(as:device:)`` sets it: whoever else is written to or heard from, this stays who we are.
    var wanted: Wanted?
    var channel: (any WebSocketChannel)?
    var routes = BinaryRoutes()
    var registrationOutcome: Result<SignalRegistered, SignalError>?
    var isRegistering = false
    let registrationAnswers = WaitingLine()
    var lastHeardAt: ContinuousClock.Instant?
    let events = Broadcaster<SignalEvent>(capacity: 512)
    let latestState = LatestValue(SignalClientState.disconnected, capacity: 16)

    private var url: URL?
    private var supervisor: Task<Void, Never>?
    private var backoff: Backoff
    /// Counts connects and disconnects: whoever waited looks whether the connection is still the one it knew.
    private var run = 0
    /// Whether the registration is this actor's to make, or ``register(as:device:)`` will be called.
    private var registersByItself = false

    /// - Parameters:
    ///   - identity: Proves to servers that ask for it that the id is ours; nil registers plainly.
    ///   - dial: Opens the socket.
    public init(
        identity: Identity?,
        configuration: SignalClientConfiguration = SignalClientConfiguration(),
        time: SessionTime = .system,
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

    public nonisolated var state: SignalClientState { latestState.value }
    public nonisolated func states() -> AsyncStream<SignalClientState> { latestState.values() }
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

    /// Connects and registers, and keeps at it however long that takes, until ``disconnect()``.
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
        case .disconnected, .replaced, .refused: break
        case .connecting, .connected, .registered, .waiting: return false
        }
        self.url = url
        run += 1
        backoff = configuration.backoff
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
        channel = nil
        registrationAnswers.wakeAll()
        latestState.set(state)
    }

    private func open(_ url: URL) async throws -> any WebSocketChannel {
        let limit = configuration.connectTimeout
        return try await withTimeout(limit, on: time.clock, throwing: SignalError.timedOut(after: limit)) { [dial] in
            try await dial(url)
        }
    }

    /// One connection after the other, until told to stop.
    private func supervise(_ url: URL, first: (any WebSocketChannel)?) async {
        let run = run
        var next = first
        // `connect` has tried once already.
        var isFirstTry = first == nil
        while !Task.isCancelled, run == self.run {
            if let channel = next {
                next = nil
                let startedAt = time.now()
                await serve(channel)
                guard run == self.run else { return }
                if case .byPeer(.replaced, _) = channel.closure { return ended(.replaced) }
                if case .failure(let error) = registrationOutcome, error.isFinal { return ended(.refused(error)) }
                if time.now() - startedAt >= configuration.settledAfter { backoff.reset() }
            }
            if isFirstTry {
                isFirstTry = false
            } else {
                let wait = backoff.next()
                latestState.set(.waiting(retryIn: wait))
                guard (try? await time.clock.sleep(for: wait)) != nil, run == self.run else { return }  // cancelled
            }
            latestState.set(.connecting)
            do {
                let channel = try await open(url)
                guard run == self.run else {
                    await channel.close()
                    return
                }
                adopt(channel)
                next = channel
            } catch {
                logger.debug("server not reached", metadata: ["error": "\(error)"])
            }
        }
        await next?.close()
    }

    private func adopt(_ channel: any WebSocketChannel) {
        self.channel = channel
        routes = BinaryRoutes()
        registrationOutcome = nil
        isRegistering = false
        registersByItself = wanted != nil
        lastHeardAt = time.now()
        latestState.set(.connected)
    }

    /// Lives as long as the channel.
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
        self.channel = nil
        isRegistering = false
        registrationAnswers.wakeAll()
    }

    func isCurrent(_ other: any WebSocketChannel) -> Bool {
        channel === other
    }
}
