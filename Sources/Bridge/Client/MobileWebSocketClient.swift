public import Foundation
public import Kernel
package import Transport

/// A phone's end of the bridge: connects, proves itself, keeps the connection up, and tells what arrives as events.
///
/// It hands its token to nobody else than it was made for: over `wss` to the key that was pinned, in the clear only where
/// ``Configuration/allowsPlain`` says so and the address is one of this machine, a private network or a VPN.
///
/// From ``start()`` on it runs, and lives, until ``stop()`` or until the computer refuses it. Ask for ``events()`` before it starts: they
/// begin with the call.
public actor MobileWebSocketClient {
    /// The addresses to connect to, and the proof to show there.
    public struct Configuration: Sendable {
        /// The addresses to try, one after the other: `wss://192.168.1.20:9099`.
        public var addresses: [URL]
        /// A token, or the code of a picture.
        public var proof: BridgeHello.Proof
        /// SHA-256 of the computer's key, `SubjectPublicKeyInfo`, from its picture; nil for a computer without TLS.
        public var keyHash: [UInt8]?
        /// Whether the token may go in the clear to an address of this machine, a private network or a VPN.
        public var allowsPlain = false
        /// 1 for servers of other programs, which need not know of 2.
        public var version = BridgeHello.ownVersion
        /// Whether another token is kept when the computer gives one: see ``Event/renewed(token:)``.
        public var takesNextToken = true
        /// The clock of its waits.
        public var time: any TimeSource = .system
        /// How connections are opened.
        package var connect: @Sendable (URL, WebSocketConfiguration) async throws -> any WebSocketPeer = {
            try await WebSocketConnection.connect(to: $0, configuration: $1)
        }

        public init(addresses: [URL], proof: BridgeHello.Proof, keyHash: [UInt8]? = nil) {
            self.addresses = addresses
            self.proof = proof
            self.keyHash = keyHash
        }

        /// The configuration for a scanned picture.
        ///
        /// - Parameter device: What this device is called at the computer.
        public init(scanned code: BridgeCode, device: String) {
            let scheme = code.keyHash == nil ? "ws" : "wss"
            addresses = code.hosts.compactMap { host in
                URL(string: "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(code.port)")
            }
            proof = .code(code.code, name: device)
            keyHash = code.keyHash
        }
    }

    /// An event of a client; they are told in order.
    public enum Event: Hashable, Sendable {
        case connecting(to: URL)
        /// The computer believed the token.
        case connected(BridgeHelloAck)
        /// A new token, to be kept durably in place of the token or code before: it is used from now on, and the old one ends. A reader that
        /// fell behind may have missed it, and finds it in ``MobileWebSocketClient/proof``.
        case renewed(token: String)
        /// An envelope that answers no request of this client.
        case message(type: String, data: JSONValue)
        /// The computer answered a ``MobileWebSocketClient/ping()``.
        case pong
        /// The connection ended; with the wait before the next try, nil when there is none.
        case disconnected(BridgeClientError, retryAfter: Duration?)
    }

    /// Requests without an answer.
    static let waitingLimit = 64
    /// The time in which HelloAck has to come: at the first try, and at later ones.
    static let firstHelloTime = Duration.seconds(3)
    static let laterHelloTime = Duration.seconds(10)
    /// Closed connections in a row, between Hello and its answer, after which the token counts as refused: documented servers say nothing.
    static let silentRefusals = 5
    static let answerTime = Duration.seconds(30)

    private struct Waiting {
        let method: String
        /// Nil for a documented request, which is told by its order.
        let id: JSONValue?
        let continuation: CheckedContinuation<JSONValue, any Error>
    }

    private struct Run {
        let number: UInt64
        let task: Task<Void, Never>
    }

    private var configuration: Configuration
    private let broadcaster = Broadcaster<Event>(capacity: 256)
    private var running: Run?
    /// The newest run, which may still be ending. The next begins after it.
    private var newestRun: Task<Void, Never>?
    private var runCount: UInt64 = 0
    /// The socket that there is, believed or not.
    private var socket: (any WebSocketPeer)?
    /// The socket once the computer answered Hello: nothing but a Hello is sent before.
    private var peer: (any WebSocketPeer)?
    /// Whether a server of ours answered it, which says by `request_id` what it answers.
    private var isOwnServer = false
    private var backoff = Backoff(steps: [1, 2, 4, 8, 16, 30].map { .seconds($0) }, jitter: 0.2)
    private var isFirstTry = true
    private var closedSilently = 0
    private var waiting: [UInt64: Waiting] = [:]
    private var nextNumber: UInt64 = 0
    /// Ends the wait before the next try.
    private var wake: Task<Bool, Never>?

    /// Requests that have no answer yet.
    var waitingCount: Int { waiting.count }

    public init(_ configuration: Configuration) { self.configuration = configuration }

    // Readers that outlive it would wait for ever.
    deinit { broadcaster.finish() }

    /// The proof that it shows now: the token that it was given last, or the one that it was made with.
    public var proof: BridgeHello.Proof { configuration.proof }

    /// Events from now on, one stream for each reader. A slow one misses the oldest.
    public nonisolated func events() -> AsyncStream<Event> { broadcaster.subscribe() }

    /// Connects, and connects again when the connection ends, until ``stop()`` or a refusal.
    public func start() {
        guard running == nil else { return }
        runCount += 1
        let number = runCount
        let before = newestRun
        let task = Task { [weak self] in
            await before?.value
            await self?.begin()
            while let self, await self.tryOnce(number) {}
        }
        running = Run(number: number, task: task)
        newestRun = task
    }

    /// Says good-bye and ends. Events go on when it is started again.
    public func stop() async {
        guard let run = running else { return }
        running = nil
        wake?.cancel()
        // Before its reader leaves, which ends a socket without a word.
        await socket?.close(.goingAway, reason: "")
        run.task.cancel()
        await run.task.value
    }

    /// The network changed: what waits is tried at once, and a connection that may be dead is looked at.
    public func networkChanged() async {
        backoff.reset()
        wake?.cancel()
        guard let peer else { return }
        let time = configuration.time
        Task {
            // Its end ends the messages, and the next try begins.
            do {
                try await withTimeout(Self.firstHelloTime, on: time, throwing: BridgeClientError.lost) {
                    try await peer.ping()
                }
            } catch {
                peer.abort()
            }
        }
    }

    private func begin() {
        isFirstTry = true
        closedSilently = 0
        backoff.reset()
    }

    /// Whether this run is still wanted.
    private func isCurrent(_ number: UInt64) -> Bool { running?.number == number && !Task.isCancelled }

    // MARK: One connection

    /// - Returns: Whether to try again, once that is due.
    private func tryOnce(_ number: UInt64) async -> Bool {
        guard isCurrent(number) else { return false }
        var failure: BridgeClientError?
        for address in configuration.addresses {
            let next = await connection(to: address)
            guard isCurrent(number) else { return false }
            // An address that cannot be used says nothing about the others, which may work later.
            if failure == nil || !next.isFinal { failure = next }
            // Another address leads to the same computer and the same answer.
            if next == .refused || next == .revoked || next == .lost {
                failure = next
                break
            }
        }
        let reason = failure ?? .notConnected
        guard !reason.isFinal else {
            // Over before it is told: a reader may start it again at once.
            running = nil
            broadcaster.send(.disconnected(reason, retryAfter: nil))
            return false
        }
        let pause = backoff.next()
        broadcaster.send(.disconnected(reason, retryAfter: pause))
        let time = configuration.time
        let deadline = time.now + pause
        let wake = Task { await time.pause(until: deadline) }
        self.wake = wake
        _ = await withTaskCancellationHandler {
            await wake.value
        } onCancel: {
            wake.cancel()
        }
        self.wake = nil
        return isCurrent(number)
    }

    /// Serves one connection.
    ///
    /// - Returns: Why it ended, or was none.
    private func connection(to address: URL) async -> BridgeClientError {
        var settings = WebSocketConfiguration()
        settings.keepAliveInterval = .seconds(25)
        guard Self.isSafe(address, configuration) else { return .unsafeAddress(address.absoluteString) }
        if let keyHash = configuration.keyHash { settings.trust = .publicKey(sha256: keyHash) }
        broadcaster.send(.connecting(to: address))
        let limit = isFirstTry ? Self.firstHelloTime : Self.laterHelloTime
        isFirstTry = false
        settings.openTimeout = limit
        let peer: any WebSocketPeer
        do {
            peer = try await configuration.connect(address, settings)
        } catch let error as WebSocketError {
            return error == .refused(status: 429) ? .tooMany : .unreachable(error)
        } catch {
            return .notConnected
        }
        socket = peer
        // The error that unanswered requests end with.
        var ending = BridgeClientError.lost
        defer {
            socket = nil
            self.peer = nil
            fail(ending)
        }
        // A code is good once: given up a moment before its answer it is lost.
        let patience = configuration.proof.isCode ? Self.laterHelloTime : limit
        // Silence ends it, whatever the socket does.
        let isGreeted = LatestValue(false)
        let time = configuration.time
        let end = time.now + patience
        let deadline = Task {
            if await time.pause(until: end), !isGreeted.value { peer.abort() }
        }
        defer { deadline.cancel() }
        let hello = BridgeHello(
            configuration.proof,
            version: configuration.version,
            takesNextToken: configuration.takesNextToken && configuration.version >= BridgeHello.ownVersion
        )
        do {
            try await peer.send(text: hello.bytes)
        } catch {
            return .lost
        }
        for await message in peer.messages {
            if Task.isCancelled { break }
            guard isGreeted.value else {
                guard let ack = BridgeHelloAck(message.bytes, answering: hello.token) else {
                    await peer.close(.policyViolation, reason: "no HelloAck")
                    return .noHelloAck
                }
                isGreeted.set(true)
                self.peer = peer
                greeted(ack)
                continue
            }
            await take(message.bytes, from: peer)
        }
        guard let reason = Self.reason(peer.closure, isGreeted: isGreeted.value) else { return silence() }
        ending = reason
        return reason
    }

    /// Where the token may go.
    static func isSafe(_ address: URL, _ configuration: Configuration) -> Bool {
        switch address.scheme?.lowercased() {
        case "wss": return configuration.keyHash != nil
        case "ws":
            let host = address.host(percentEncoded: false) ?? ""
            // A pinned computer is never asked without TLS: that would be the way around the pin.
            return configuration.keyHash == nil && configuration.allowsPlain && LocalAddresses.isPrivateOrLoopback(host)
        default: return false
        }
    }

    private func greeted(_ ack: BridgeHelloAck) {
        backoff.reset()
        closedSilently = 0
        isOwnServer = ack.details != nil
        broadcaster.send(.connected(ack))
        guard let token = ack.details?.nextToken, !token.isEmpty else { return }
        configuration.proof = .token(token)
        broadcaster.send(.renewed(token: token))
    }

    private static func reason(_ closure: WebSocketClosure?, isGreeted: Bool) -> BridgeClientError? {
        if case .byPeer(let code?, _)? = closure {
            switch code {
            case .wrongToken: return .refused
            case .tokenRevoked: return .revoked
            case .tooMuch: return .tooMany
            default: break
            }
        }
        return isGreeted ? .lost : nil
    }

    /// It closed between Hello and its answer: documented servers do that to a wrong token, and every server while it ends.
    private func silence() -> BridgeClientError {
        closedSilently += 1
        return closedSilently >= Self.silentRefusals ? .refused : .noHelloAck
    }

    // MARK: Messages

    private func take(_ bytes: [UInt8], from peer: any WebSocketPeer) async {
        switch BridgeMessage(bytes) {
        case .ping?: try? await peer.send(text: BridgeMessage.pong.bytes)  // its end ends the messages, too
        case .pong?: broadcaster.send(.pong)
        case .envelope(let type, let data)?:
            guard let response = BridgeResponse(type: type, data: data), let number = number(of: response),
                let waiting = waiting.removeValue(forKey: number)
            else { return broadcaster.send(.message(type: type, data: data)) }
            waiting.continuation.resume(with: response.outcome.mapError { $0 as any Error })
        case .helloAck?, nil: break
        }
    }

    /// The number of the request that a response answers: found by its id, or without one the oldest of that method.
    private func number(of response: BridgeResponse) -> UInt64? {
        if let id = response.id { return waiting.first { $0.value.id == id }?.key }
        return waiting.filter { $0.value.id == nil && $0.value.method == response.method }.keys.min()
    }

    private func fail(_ error: any Error) {
        let all = waiting
        waiting = [:]
        for waiting in all.values { waiting.continuation.resume(throwing: error) }
    }

    private func fail(_ number: UInt64, _ error: any Error) {
        waiting.removeValue(forKey: number)?.continuation.resume(throwing: error)
    }

    /// Sends an envelope that is not answered.
    ///
    /// - Throws: ``BridgeClientError/notConnected``.
    public func send(type: String, data: JSONValue) async throws {
        try await send(.envelope(type: type, data: data))
    }

    /// Asks for a sign of life; ``Event/pong`` tells that it came.
    public func ping() async throws { try await send(.ping) }

    private func send(_ message: BridgeMessage) async throws {
        guard let peer else { throw BridgeClientError.notConnected }
        do {
            try await peer.send(text: message.bytes)
        } catch WebSocketError.closed {
            throw BridgeClientError.notConnected
        }
    }

    /// Calls a method of the computer.
    ///
    /// - Throws: ``BridgeFailure`` when the computer refused, ``BridgeClientError`` when no answer came.
    public func request(_ method: String, _ params: JSONValue = [:], timeout: Duration? = nil) async throws -> JSONValue
    {
        try await answer(to: BridgeRequest(method, params), withID: true, within: timeout ?? Self.answerTime)
    }

    /// The newest threads of the computer's coding agents, by the documented request.
    ///
    /// - Parameter topK: How many at most, brought into 1...200.
    /// - Throws: As ``request(_:_:timeout:)``; servers of other programs do not say why they do not answer.
    public func threads(topK: Int = BridgeThreads.standardCount, timeout: Duration? = nil) async throws
        -> [BridgeThread]
    {
        let data = try await answer(
            to: BridgeThreads.request(topK: topK),
            withID: isOwnServer,
            within: timeout ?? Self.answerTime
        )
        return BridgeThreads.threads(in: data)
    }

    /// - Parameter withID: Whether the request gets an id, without which its answer is told by its order.
    private func answer(to request: BridgeRequest, withID: Bool, within limit: Duration) async throws -> JSONValue {
        guard peer != nil else { throw BridgeClientError.notConnected }
        guard waiting.count < Self.waitingLimit else {
            throw BridgeClientError.tooManyWaiting(limit: Self.waitingLimit)
        }
        nextNumber += 1
        let number = nextNumber
        var request = request
        request.id = withID ? .string("\(number)") : nil
        let (method, id, message) = (request.method, request.id, request.message)
        let time = configuration.time
        let end = time.now + limit
        let deadline = Task {
            if await time.pause(until: end) { self.fail(number, BridgeClientError.timedOut(after: limit)) }
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting[number] = Waiting(method: method, id: id, continuation: continuation)
                guard !Task.isCancelled else { return fail(number, CancellationError()) }
                Task {
                    do {
                        try await self.send(message)
                    } catch {
                        self.fail(number, error)
                    }
                }
            }
        } onCancel: {
            Task { await self.fail(number, CancellationError()) }
        }
    }
}

extension BridgeHello.Proof {
    fileprivate var isCode: Bool {
        if case .code = self { true } else { false }
    }
}

extension BridgeHello {
    /// The token that a documented server echoes; empty for a code.
    fileprivate var token: String {
        if case .token(let token) = proof { token } else { "" }
    }
}
