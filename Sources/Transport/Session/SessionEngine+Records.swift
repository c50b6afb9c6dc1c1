import Sealing

extension SessionEngine {
    /// Takes one frame that arrived on a link. Message 1 of a handshake is not for this: its reader needs the store,
    /// see ``accept(_:on:now:)``.
    package mutating func receive(_ frame: LinkFrame, on link: LinkID, now: ContinuousClock.Instant) {
        guard !isClosed, links[link] != nil else { return }
        switch frame {
        case .handshake(let id, _, let index, _, let message):
            isUnsettled = true
            if role == .initiator, index == 2 { receiveAnswer(id, message, on: link, now: now) }
        case .record(let id, let generation, let sequence, let ciphertext):
            let isNews = receiveRecord(
                id,
                generation: generation,
                sequence: sequence,
                ciphertext: ciphertext,
                on: link,
                now: now
            )
            guard isNews else { return }
        case .notice(let id, let notice):
            isUnsettled = true
            receiveNotice(id, notice, now: now)
        }
        tick(now: now)
    }

    private mutating func receiveRecord(
        _ id: SessionID?,
        generation: UInt32,
        sequence: UInt64,
        ciphertext: ArraySlice<UInt8>,
        on link: LinkID,
        now: ContinuousClock.Instant
    ) -> Bool {
        var isKnown = false
        if let session = current?.id, id == nil || id == session {
            do {
                // In place: a copy of the session would make all of it be copied.
                let body = try current?.open(
                    generation: generation,
                    isCompact: id == nil,
                    sequence: sequence,
                    ciphertext: ciphertext,
                    now: now
                )
                if let body = body ?? nil { handle(body, on: link, now: now) }
                return true
            } catch .unknownGeneration {
                // So much was lost that the keys are apart; nothing but a new session helps.
            } catch {
                isKnown = true
            }
        }
        isUnsettled = true
        if var session = pending, id == nil || id == session.session.id {
            let body: SessionBody?
            do {
                body = try session.session.open(
                    generation: generation,
                    isCompact: id == nil,
                    sequence: sequence,
                    ciphertext: ciphertext,
                    now: now
                )
            } catch {
                return false  // of no session, and nothing has changed
            }
            adopt(session.session, epoch: session.epoch, acknowledged: session.acknowledged, now: now)
            links[link]?.heard(now: now)
            if let body { handle(body, on: link, now: now) }
            return true
        }
        guard !isKnown else { return false }
        switch role {
        case .initiator:
            if current != nil, id == nil || id == current?.id { requestHandshake(now: now) }
        case .responder:
            // An answer to a handshake is worth more than a notice that one is needed.
            guard links[link]?.answer == nil, mayNotify(now: now) else { return false }
            links[link]?.answer = .notice(id ?? .unnamed, .unknownSession)
        }
        return true
    }

    private mutating func mayNotify(now: ContinuousClock.Instant) -> Bool {
        if let last = lastNotices[.unknownSession], now - last < timing.noticeInterval { return false }
        lastNotices[.unknownSession] = now
        return true
    }

    private mutating func handle(_ body: SessionBody, on link: LinkID, now: ContinuousClock.Instant) {
        switch body {
        case .data(let number, let durable, let acknowledged, let bytes):
            heard(on: link, now: now)
            receiveAcknowledgement(acknowledged, now: now)
            receiveData(number: number, durable: durable, bytes: bytes, on: link, now: now)
        case .acknowledgement(let number):
            heard(on: link, now: now)
            receiveAcknowledgement(number, now: now)
        case .ping(let token):
            isUnsettled = true
            let interval = timing.busyProbe
            links[link]?.owePong(token, now: now, interval: interval)
        case .pong(let token):
            isUnsettled = true
            links[link]?.answered(token, now: now)
        case .close:
            isUnsettled = true
            current = nil
            pending = nil
            hasPeerLeft = true
            outbox.resendAll()
            for id in links.keys { links[id]?.reset(now: now) }
            nextAttemptAt = now + timing.handshakeTimeouts[0]
        }
    }

    private mutating func receiveData(
        number: UInt64,
        durable: UInt64,
        bytes: [UInt8],
        on link: LinkID,
        now: ContinuousClock.Instant
    ) {
        let arrival = inbox.arrive(number: number, durable: durable, bytes: bytes)
        if arrival == .ready || arrival == .early { noticeUse(of: link, now: now) }
        switch arrival {
        case .ready:
            emit(.messageArrived)
            acknowledgeProgress(now: now)
        case .early, .repeated:
            // The peer is missing an acknowledgement, or is about to send something again: tell it at once.
            acknowledge(by: now)
        case .dropped:
            break
        }
    }
}
