import Sealing

extension SessionEngine {
    /// Finds out which links answer, and which of them is to carry the messages.
    mutating func checkLinks(now: ContinuousClock.Instant) {
        if current != nil {
            for id in links.keys.sorted() {
                if let deadline = links[id]?.probeDeadline(timing, load: load(of: id)), now >= deadline {
                    links[id]?.missed()
                    emit(.linkUnanswered(id))
                } else if let deadline = links[id]?.doubtDeadline(timing, load: load(of: id)), now >= deadline {
                    links[id]?.askedCarrier()
                    emit(.linkUnanswered(id))
                }
            }
        }
        choosePreferred()
        guard current != nil else { return }
        for id in links.keys.sorted() {
            guard let due = links[id]?.nextProbe(isBusy: isBusy(id), timing: timing), now >= due else { continue }
            links[id]?.ask(.random(in: .min ... .max), now: now)
        }
    }

    /// The best kind that answers. When none does, the one that was silent least, so that each gets its turn.
    mutating func choosePreferred() {
        let previous = preferred
        // Among equals the one in use stays.
        var best = previous.flatMap { id in links[id].map { (id, rank($0)) } }
        for id in links.keys.sorted() {
            guard let link = links[id] else { continue }
            if let best, best.1 >= rank(link) { continue }
            best = (id, rank(link))
        }
        preferred = best?.0
        defer { bringFromSilence() }
        guard let previous, previous != preferred else { return }
        // Messages on a link that went silent are sent again at once; those on one that still answers will arrive.
        // Between two that are both silent the retransmission timer decides, so that nothing is poured into silence.
        if let link = links[previous], link.health == .answering { return }
        if let preferred, case .silent = links[preferred]?.health { return }
        outbox.resend(sentOn: previous)
    }

    /// Sends again, over the link in use, what lies in links that are silent. While no link answered, messages went out over each in its
    /// turn; the first that answers again would otherwise bring the others' share only a retransmission timer at a time.
    private mutating func bringFromSilence() {
        guard let preferred, links[preferred]?.health == .answering else { return }
        for (id, link) in links where id != preferred {
            guard case .silent = link.health, outbox.hasSent(on: id) else { continue }
            outbox.resend(sentOn: id)
        }
    }

    private func rank(_ link: LinkState) -> (Int, LinkKind) {
        switch link.health {
        case .answering: (1, link.kind)
        case .untested, .doubted: (0, link.kind)
        case .silent(let misses): (-misses, link.kind)
        }
    }

    /// Whether something waits for what this link carries.
    func isBusy(_ id: LinkID) -> Bool { id == preferred && (outbox.awaitsAcknowledgement || isAnswerAwaited) }

    /// How long what is under way on a link takes, so that a question behind it is not given up meanwhile.
    func load(of id: LinkID) -> Duration { id == preferred ? outbox.load : .zero }

    /// The machine slept, or the process was stopped: every link is asked at once whether it still works.
    package mutating func resume(now: ContinuousClock.Instant) {
        guard !isClosed else { return }
        isUnsettled = true
        for id in links.keys { links[id]?.resume() }
        if attempt != nil {
            // Its answer may have come and gone.
            attempt = nil
            attempts = 0
            isHandshakeRequested = true
        }
        if nextAttemptAt != nil { nextAttemptAt = now }
        tick(now: now)
    }

    /// New messages come over another link than the one used here. When it is a lesser one, the peer may know more; of two equal ones
    /// the responder follows.
    mutating func noticeUse(of link: LinkID, now: ContinuousClock.Instant) {
        guard let preferred, preferred != link, let used = links[link], let own = links[preferred],
            used.kind < own.kind || (used.kind == own.kind && role == .responder), own.health == .answering
        else { return }
        let interval = timing.busyProbe
        links[preferred]?.doubt(now: now, interval: interval)
        isUnsettled = true
    }

    /// Whether ``nextFrame(on:now:)`` has one.
    package func hasFrame(on id: LinkID, now: ContinuousClock.Instant) -> Bool {
        guard !isClosed, let link = links[id] else { return false }
        if link.owesFrame { return true }
        guard current != nil, id == preferred else { return false }
        if let acknowledgementDeadline, now >= acknowledgementDeadline { return true }
        return outbox.hasNext(now: now)
    }

    /// The next frame for a link that can take one; nil when there is nothing for it now.
    package mutating func nextFrame(on id: LinkID, now: ContinuousClock.Instant) -> LinkFrame? {
        guard !isClosed, let link = links[id] else { return nil }
        if link.isHandshakeDue {
            links[id]?.isHandshakeDue = false
            if let attempt { return attempt.frame }
        }
        if let answer = link.answer {
            links[id]?.answer = nil
            return answer
        }
        guard current != nil else { return nil }
        if let token = links[id]?.takePong() { return seal(.pong(token), now: now) }
        if let token = links[id]?.takeProbe(now: now) { return seal(.ping(token), now: now) }
        guard id == preferred else { return nil }
        let timeout = link.timeout(timing)
        let wasWaiting = outbox.awaitsAcknowledgement
        if let entry = outbox.next(on: id, now: now, timeout: timeout, limit: timing.maximumRetransmission) {
            // Busy from here on, and asked after sooner.
            if !wasWaiting {
                links[id]?.busySince = now
                expectProbe(on: id, now: now)
            }
            let acknowledged = acknowledgementToSend()
            return seal(
                .data(
                    number: entry.number,
                    durable: entry.durable,
                    acknowledged: acknowledged,
                    bytes: entry.bytes
                ),
                now: now
            )
        }
        guard let acknowledgementDeadline, now >= acknowledgementDeadline else { return nil }
        return seal(.acknowledgement(acknowledgementToSend()), now: now)
    }

    private mutating func acknowledgementToSend() -> UInt64 {
        acknowledgementDeadline = nil
        sentAcknowledgement = inbox.acknowledgeable.number
        return sentAcknowledgement
    }

    /// There may be more to acknowledge: soon, and at once before the peer has to wait for it.
    mutating func acknowledgeProgress(now: ContinuousClock.Instant) {
        let number = inbox.acknowledgeable.number
        guard number > sentAcknowledgement else { return }
        let isMuch = number - sentAcknowledgement >= UInt64(Outbox.inFlightCount / 4)
        acknowledge(by: isMuch ? now : now + timing.acknowledgementDelay)
    }

    /// An acknowledgement is due, at the latest at `deadline`.
    mutating func acknowledge(by deadline: ContinuousClock.Instant) {
        acknowledgementDeadline = acknowledgementDeadline.map { min($0, deadline) } ?? deadline
    }

    mutating func seal(_ body: SessionBody, now: ContinuousClock.Instant) -> LinkFrame? {
        do {
            return try current?.seal(body, now: now)
        } catch {
            // The keys are used up, which takes more records than any session sends. A new session goes on from here.
            current = nil
            isUnsettled = true
            outbox.resendAll()
            return nil
        }
    }

    /// Ends the session from this side.
    ///
    /// - Returns: The frame that tells the peer, and the link to send it on, when there is one.
    package mutating func close(now: ContinuousClock.Instant) -> (LinkID, LinkFrame)? {
        guard !isClosed else { return nil }
        let farewell = preferred.flatMap { link in seal(.close, now: now).map { (link, $0) } }
        isClosed = true
        current = nil
        pending = nil
        attempt = nil
        refreshState()
        return farewell
    }
}
