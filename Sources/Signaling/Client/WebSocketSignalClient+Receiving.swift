import Foundation
import Kernel
import Logging
import Transport

extension WebSocketSignalClient {
    func receive(_ message: WebSocketMessage, on channel: any WebSocketChannel) async {
        guard isCurrent(channel) else { return }
        lastHeardAt = time.now()
        switch message {
        case .text(let bytes):
            await receiveText(bytes, on: channel)
        case .binary(let bytes):
            guard let first = bytes.first, SignalBinaryFrame.kinds.contains(first) else {
                return await receiveText(bytes, on: channel)  // some relays send JSON so
            }
            // The other kinds are for later versions.
            guard let frame = SignalBinaryFrame(bytes), frame.kind == SignalBinaryFrame.recordKind,
                let sender = SignalBinaryFrame.route(of: bytes).flatMap(routes.sender)
            else { return }
            events.send(.binary(from: sender, frame))
        }
    }

    private func receiveText(_ bytes: [UInt8], on channel: any WebSocketChannel) async {
        guard let json = try? JSONValue(parsing: bytes) else {
            logger.debug("frame is not JSON", metadata: ["bytes": "\(bytes.count)"])
            return
        }
        switch SignalServerFrame(json) {
        case .registered(let answer): receiveRegistered(answer)
        case .challenge(let peerID, let nonce): await receiveChallenge(peerID: peerID, nonce: nonce, on: channel)
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

    /// Asks at intervals whether the server is there, and ends a connection that only looks alive.
    func keepAlive(_ channel: any WebSocketChannel) async {
        var isFirst = true
        while !Task.isCancelled {
            // A relay that forgot us does so right after an older connection of ours ended.
            let wait = isFirst ? min(.seconds(2), configuration.keepalive) : configuration.keepalive
            guard (try? await time.clock.sleep(for: wait)) != nil else { return }  // the connection is over
            if isFirst {
                isFirst = false
                await probeSelf(channel)
                continue
            }
            let askedAt = time.now()
            await probeSelf(channel)
            do {
                try await withTimeout(
                    configuration.pongTimeout,
                    on: time.clock,
                    throwing: SignalError.timedOut(after: configuration.pongTimeout)
                ) {
                    // Some relays count only frames of their own; the answer to either shows that they are there.
                    let frame = SignalClientFrame.ping(timestamp: self.time.date().millisecondsSince1970)
                    try await channel.send(text: frame.text)
                    try await channel.ping()
                }
            } catch is CancellationError {
                return
            } catch {
                if let lastHeardAt, lastHeardAt > askedAt { continue }
                logger.notice("server silent", metadata: ["error": "\(error)"])
                channel.abort()
                return
            }
        }
    }

    private static let selfProbe: JSONValue = ["type": "self-probe"]

    /// Relays other than ours can lose a registration while its socket is up. A message to oneself shows it.
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

    /// The relay says that we are away: it forgot us, and only registering makes us reachable again.
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
