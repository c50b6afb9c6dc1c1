import Sealing

extension SessionEngine {
    // MARK: Initiator

    /// Whether ``beginHandshake(counter:ticket:now:)`` is to be called.
    package func wantsHandshake(now: ContinuousClock.Instant) -> Bool {
        guard role == .initiator, attempt == nil, !isRefused, !isClosed, !links.isEmpty else { return false }
        if let nextAttemptAt, now < nextAttemptAt { return false }
        guard let current else { return true }
        return isHandshakeRequested || now - current.startedAt >= timing.maximumSessionAge
    }

    /// No handshake before `instant`: what it needs could not be read.
    package mutating func postponeHandshake(until instant: ContinuousClock.Instant) {
        nextAttemptAt = instant
        isUnsettled = true
    }

    /// Sends a new message 1 over every link.
    ///
    /// - Parameters:
    ///   - counter: Greater than every one before it, and on disk.
    ///   - ticket: The ticket of the last session, when it is still there.
    package mutating func beginHandshake(
        counter: Int64,
        ticket: ResumptionTicket?,
        now: ContinuousClock.Instant
    ) throws {
        guard wantsHandshake(now: now) else { return }
        let timeout = timing.handshakeTimeouts[min(attempts, timing.handshakeTimeouts.count - 1)]
        isUnsettled = true
        attempts += 1
        isHandshakeRequested = false
        nextAttemptAt = nil
        attempt = try HandshakeAttempt(
            identity: identity,
            peer: peer,
            ticket: ticket,
            counter: counter,
            epoch: epoch,
            acknowledged: inbox.acknowledgeable,
            now: now,
            timeout: timeout
        )
        for id in links.keys { links[id]?.isHandshakeDue = true }
    }

    mutating func receiveAnswer(_ id: SessionID, _ message: [UInt8], on link: LinkID, now: ContinuousClock.Instant) {
        guard var attempt, attempt.session == id else { return }
        let result: (payload: HandshakePayload, keys: NoiseKeys)
        do {
            result = try attempt.finish(message, peer: peer)
        } catch {
            return  // forged, damaged or of another attempt: the real answer may still come
        }
        self.attempt = nil
        attempts = 0
        guard result.payload.status == .accepted else {
            // A later version may know more answers; only this one means that there is nothing to come back for.
            if result.payload.status == .notPaired {
                isRefused = true
                current = nil
            } else {
                nextAttemptAt = now + timing.maximumRetransmission
            }
            return
        }
        guard let session = try? LiveSession(id: id, keys: result.keys, peer: peer, now: now) else {
            return  // cannot fail: the id has its 16 bytes
        }
        adopt(session, epoch: result.payload.epoch, acknowledged: result.payload.acknowledged, now: now)
        links[link]?.heard(now: now)
        // The responder believes in the session once it sees a record of it.
        acknowledge(by: now)
    }

    mutating func receiveNotice(_ id: SessionID, _ notice: SessionNotice, now: ContinuousClock.Instant) {
        guard role == .initiator else { return }
        switch notice {
        case .noResumption:
            guard let attempt, attempt.session == id, attempt.pattern == .resumed else { return }
            guard mayFollow(notice, now: now) else { return }
            emit(.ticketRefused)
            self.attempt = nil
            isHandshakeRequested = true
        case .unknownSession:
            guard let current, id == current.id || id == .unnamed else { return }
            requestHandshake(now: now)
        }
    }

    /// A frame that a stranger could have sent says that the peer lost the session.
    mutating func requestHandshake(now: ContinuousClock.Instant) {
        guard attempt == nil else { return }
        guard mayFollow(.unknownSession, now: now) else {
            // It may be true all the same: then it is followed as soon as it may be.
            if let last = lastNotices[.unknownSession], let session = current?.id {
                postponedNotice = (last + timing.noticeInterval, session)
                isUnsettled = true
            }
            return
        }
        isHandshakeRequested = true
    }

    /// Follows a notice that came too soon after another, unless the session that it was about was replaced meanwhile.
    mutating func followPostponedNotice(now: ContinuousClock.Instant) {
        guard let notice = postponedNotice, now >= notice.at else { return }
        postponedNotice = nil
        if current?.id == notice.session { requestHandshake(now: now) }
    }

    /// Each kind at most once a second: the second may be the answer to what the first one led to.
    private mutating func mayFollow(_ notice: SessionNotice, now: ContinuousClock.Instant) -> Bool {
        if let last = lastNotices[notice], now - last < timing.noticeInterval { return false }
        lastNotices[notice] = now
        return true
    }

    // MARK: Responder

    /// Answers a message 1 of the peer that is known to be no replay.
    package mutating func accept(
        _ handshake: ReceivedHandshake,
        on link: LinkID,
        now: ContinuousClock.Instant
    ) throws {
        guard role == .responder, !isClosed, handshake.peer == peer, links[link] != nil else { return }
        let (frame, keys) = try handshake.answer(.accepted, epoch: epoch, acknowledged: inbox.acknowledgeable)
        pending = PendingSession(
            session: try LiveSession(id: handshake.session, keys: keys, peer: peer, now: now),
            epoch: handshake.epoch,
            acknowledged: handshake.acknowledged
        )
        links[link]?.answer = frame
        isUnsettled = true
        hasPeerLeft = false
        tick(now: now)
    }

    // MARK: Both

    /// Lets go of the session for one that counts the peer's durable messages from the first. Messages that wait in either direction
    /// stay, and go on in the next session where the peer still knows this one.
    package mutating func startOver() {
        inbox.startOver()
        current = nil
        pending = nil
        attempt = nil
        attempts = 0
        nextAttemptAt = nil
        isUnsettled = true
        outbox.resendAll()
    }

    /// From here on `session` is the one that counts.
    mutating func adopt(
        _ session: LiveSession,
        epoch remoteEpoch: Epoch,
        acknowledged: Acknowledged,
        now: ContinuousClock.Instant
    ) {
        isUnsettled = true
        current = session
        pending = nil
        hasPeerLeft = false
        isHandshakeRequested = false
        if acknowledged.epoch == epoch {
            receiveAcknowledgement(acknowledged.number, now: now)
        } else {
            outbox.renumber()
        }
        outbox.resendAll()
        if remoteEpoch != inbox.epoch {
            sentAcknowledgement = 0
            if inbox.epoch != .none { emit(.peerRestarted) }
        }
        inbox.begin(remoteEpoch)
        emit(.established(session.ticket))
    }

    mutating func receiveAcknowledgement(_ number: UInt64, now: ContinuousClock.Instant) {
        let link = preferred.flatMap { links[$0] }
        let timeout = link?.timeout(timing) ?? timing.initialTimeout
        let arrived = outbox.acknowledge(
            through: number,
            now: now,
            timeout: timeout,
            roundTrip: link?.roundTrip ?? .zero
        )
        guard let arrived else { return }
        if let preferred, arrived.isInTime { links[preferred]?.acknowledgedInTime() }
        restartBusyProbes()
        if arrived.durable > 0 { emit(.durableArrived(through: arrived.durable)) }
        emit(.roomMade)
    }
}
