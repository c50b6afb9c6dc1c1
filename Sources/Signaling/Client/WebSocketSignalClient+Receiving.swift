import Foundation
import Kernel
import Logging
import Synchronization
import Transport

extension WebSocketSignalClient {
    func receive(_ message: WebSocketMessage, on channel: any WebSocketChannel) async {
        guard isCurrent(channel) else { return }
        noteHeard()
        switch message {
        case .text(let bytes):
            await receiveText(bytes, on: channel)
        case .binary(let bytes):
            guard let first = bytes.first, SignalBinaryFrame.kinds.contains(first) else {
                return await receiveText(bytes, on: channel)  // some relays send JSON so
            }
            // The other kinds are for later versions.
            guard let frame = SignalBinaryFrame(bytes),
                [SignalBinaryFrame.recordKind, SignalBinaryFrame.moveKind].contains(frame.kind),
                let sender = SignalBinaryFrame.route(of: bytes).flatMap(routes.sender)
            else { return }
            events.send(.binary(from: sender, frame))
        }
    }

    func noteHeard() {
        lastHeardAt = time.now
        sleptWhenHeard = time.slept
    }

    private func receiveText(_ bytes: [UInt8], on channel: any WebSocketChannel) async {
        guard let json = try? JSONValue(parsing: bytes) else {
            logger.debug("frame is not JSON", metadata: ["bytes": "\(bytes.count)"])
            return
        }
        switch SignalServerFrame(json) {
        case .registered(let answer): receiveRegistered(answer)
        case .challenge(let peerID, let nonce, let bindings):
            await receiveChallenge(peerID: peerID, nonce: nonce, bindings: bindings, on: channel)
        case .received(let message):
            if !isSelfProbe(message) { events.send(.message(message)) }
        case .peerOffline(let notice):
            if notice.peerID == wanted?.id {
                await registerOnceMore(on: channel)
            } else {
                events.send(.peerOffline(notice))
            }
        case .peerStatus(let status):
            if status.isOnline { routes.cameBack(status.peerID) }
            events.send(.peerStatus(status))
        case .peers(let peers): events.send(.peers(peers))
        case .offerPending(let peerID, let text): events.send(.offerPending(peerID: peerID, text: text))
        case .pong: break  // being heard is all it is for
        case .failure(let failure):
            if isRegistering { receiveRefusal(failure) }
            events.send(.failure(failure))
        case .shutdown(let text): events.send(.shutdown(text: text))
        case .kicked(let reason): events.send(.kicked(reason: reason))
        case .route(let from, let number): routes.learn(number, from: from)
        case .routeRefused(let to, _):
            routes.refused(by: to)
            events.send(.binaryRefused(by: to))
        case .unknown(let type, let frame): events.send(.unknown(type: type, frame))
        }
    }

    // MARK: Keepalive

    /// Checks whether the server is there, at intervals and when a caller doubts it, and ends a dead connection.
    func keepAlive(_ channel: any WebSocketChannel) async {
        let doubts = checks.subscribe()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.askAtIntervals(channel) }
            group.addTask { await self.ask(channel, at: doubts) }
            // The first task to end gave the connection up, or was cancelled.
            await group.next()
            group.cancelAll()
        }
    }

    private func askAtIntervals(_ channel: any WebSocketChannel) async {
        for wait in configuration.earlyProbes {
            guard await time.pause(for: min(wait, configuration.keepalive)) else { return }  // over
            // Our own relay does not forget.
            if state.presence?.isTandem == true { break }
            await probeSelf(channel)
        }
        while !Task.isCancelled {
            let began = time.now
            guard await time.pause(for: configuration.keepalive) else { return }  // over
            // A late timer means that the process did not run, and the connection may be long gone.
            let slept = time.now - began > configuration.keepalive + .seconds(2)
            await probeSelf(channel)
            guard await isThere(channel, within: slept ? configuration.doubtTimeout : configuration.pongTimeout) else {
                return
            }
        }
    }

    private func ask(_ channel: any WebSocketChannel, at doubts: AsyncStream<ConnectionDoubt>) async {
        var lastAt: ContinuousClock.Instant?
        for await doubt in doubts {
            // One answer serves all callers that doubted meanwhile.
            if let lastAt, time.now - lastAt < configuration.doubtTimeout { continue }
            guard await isThere(channel, within: configuration.doubtTimeout, because: doubt) else { return }
            lastAt = time.now
        }
    }

    /// - Returns: False when the connection was given up, or this task is cancelled.
    private func isThere(
        _ channel: any WebSocketChannel,
        within limit: Duration,
        because doubt: ConnectionDoubt = .silence
    ) async -> Bool {
        let askedAt = time.now
        var isStuck = false
        do {
            do {
                try await ping(channel, within: limit)
            } catch SignalError.timedOut where doubt == .silence && limit < configuration.pongTimeout {
                // Subscribed before `isOvertaken` is read, so that no overtaking is missed.
                let doubts = checks.subscribe()
                isStuck = await channel.retransmissions() >= Self.stuckRetransmissions
                guard !isStuck, !isOvertaken(since: askedAt), await isSlow(channel, since: askedAt) else {
                    throw SignalError.timedOut(after: limit)
                }
                try await waitPatiently(channel, within: configuration.pongTimeout - limit, doubts)
            }
            return true
        } catch is CancellationError {
            return false
        } catch {
            guard isCurrent(channel) else { return false }
            // Incoming data does not show that outgoing data arrives: for a stuck or overtaken connection only the answer counts.
            let isOvertaken = doubt == .overtaken || isOvertaken(since: askedAt)
            if !isStuck, !isOvertaken, let lastHeardAt, lastHeardAt > askedAt { return true }
            logger.notice("server silent", metadata: ["error": "\(error)"])
            reconnectsAtOnce = limit < configuration.pongTimeout
            channel.abort()
            return false
        }
    }

    /// The number of retransmissions in a row that marks a stuck connection. The system then waits almost a second for the next, and
    /// twice as long each time, even when packets come through again, so that a new connection is there sooner.
    private static let stuckRetransmissions = 2

    /// Waits for an answer over a slow connection, and no longer than a second once it is overtaken.
    private func waitPatiently(
        _ channel: any WebSocketChannel,
        within limit: Duration,
        _ doubts: AsyncStream<ConnectionDoubt>
    ) async throws {
        let hurry = configuration.doubtTimeout
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.ping(channel, within: limit) }
            group.addTask {
                for await doubt in doubts where doubt == .overtaken {
                    return try await self.ping(channel, within: hurry)
                }
                // This task was cancelled, because the other one has ended.
                throw CancellationError()
            }
            try await group.next()
        }
    }

    private func isOvertaken(since askedAt: ContinuousClock.Instant) -> Bool {
        overtakenAt.withLock(\.self).map { $0 >= askedAt } ?? false
    }

    /// Whether the connection still carries data and is only slow. Acknowledgements do not count after a sleep of this machine: the
    /// server's system takes data at once, but sends its own in ever longer intervals.
    private func isSlow(_ channel: any WebSocketChannel, since askedAt: ContinuousClock.Instant) async -> Bool {
        if let lastHeardAt, lastHeardAt > askedAt { return true }
        guard time.slept - sleptWhenHeard < .seconds(1) else { return false }
        guard let age = await channel.acknowledgementAge() else { return false }
        return age < time.now - askedAt
    }

    private func ping(_ channel: any WebSocketChannel, within limit: Duration) async throws {
        try await withTimeout(limit, on: time, throwing: SignalError.timedOut(after: limit)) {
            // Some relays count only `ping` frames of the protocol; the answer to either kind shows that they are there.
            let frame = SignalClientFrame.ping(timestamp: self.time.date.millisecondsSince1970)
            try await channel.send(text: frame.text)
            try await channel.ping()
        }
    }

    private static let selfProbe: JSONValue = ["type": "self-probe"]

    /// Sends a message to this device itself. It shows whether the relay lost the registration while the socket is up, which relays
    /// other than ours can do.
    private func probeSelf(_ channel: any WebSocketChannel) async {
        guard let presence = state.presence, !presence.isTandem else { return }
        do {
            try await channel.send(text: SignalMessage(to: presence.id, payload: Self.selfProbe).json.canonicalText)
        } catch {
            logger.debug("no self probe", metadata: ["error": "\(error)"])  // the read side will end
        }
    }

    private func isSelfProbe(_ message: ReceivedMessage) -> Bool {
        message.from == wanted?.id && message.kind == .message && message.payload == Self.selfProbe
    }

    /// Registers again, because the relay says that we are away: it forgot us.
    private func registerOnceMore(on channel: any WebSocketChannel) async {
        guard let presence = state.presence, !presence.isTandem, let wanted, !isRegistering else { return }
        do {
            let frame = SignalRegistration(peerID: wanted.id, device: wanted.device)
            try await channel.send(text: SignalClientFrame.register(frame).text)
        } catch {
            logger.debug("not registered again", metadata: ["error": "\(error)"])  // the read side will end
        }
    }
}
