package import Sealing

/// One sealed session with one paired peer over any number of links. Source: `docs/protocol.md` 2.4 and 2.5.
///
/// A value without I/O, clock or task: its owner feeds it frames and the time, asks each link's next frame when that
/// link can take one, calls ``tick(now:)`` at ``nextDeadline(after:)``, and carries out the events. So a slow link makes
/// messages wait in the outbox and nowhere else, and every fault can be played through in a test.
package struct SessionEngine: Sendable {
    package let identity: Identity
    package let peer: SessionPeer
    package let role: NoiseHandshake.Role
    package let epoch: Epoch
    let timing: SessionTiming

    package private(set) var state = PeerConnectionState.notConnected
    var links: [LinkID: LinkState] = [:]
    var preferred: LinkID?
    var outbox = Outbox()
    var inbox: Inbox
    var current: LiveSession?
    /// The responder's session that is answered and not yet used.
    var pending: PendingSession?
    /// The initiator's handshake that is sent and not yet answered.
    var attempt: HandshakeAttempt?
    var attempts = 0
    /// The time before which the initiator begins no handshake.
    var nextAttemptAt: ContinuousClock.Instant?
    var isHandshakeRequested = false
    /// When a notice of each kind was last followed, or by the responder sent.
    var lastNotices: [SessionNotice: ContinuousClock.Instant] = [:]
    /// A notice that the peer does not know this session, heard too soon after the last one.
    var postponedNotice: (at: ContinuousClock.Instant, session: SessionID)?
    var acknowledgementDeadline: ContinuousClock.Instant?
    var sentAcknowledgement: UInt64 = 0
    /// Whether a message of the peer's is waited for: the link in use is asked whether it works, as while messages are not acknowledged.
    private(set) var isAnswerAwaited = false
    var hasPeerLeft = false
    var isRefused = false
    var isClosed = false
    private var events: [SessionEvent] = []
    /// Whether something beside the flow of messages changed, so that ``tick(now:)`` has to look at everything.
    var isUnsettled = true
    /// When it has to do so at the latest, apart from what the outbox and the acknowledgement wait for. Not exact: what was heard
    /// since may have made it later.
    private var settledUntil: ContinuousClock.Instant?

    /// - Parameters:
    ///   - epoch: Made anew at each start of the process.
    ///   - outbound: Durable messages of an earlier process that were not acknowledged.
    ///   - inboundCursor: The greatest durable number of the peer that was handled.
    package init(
        identity: Identity,
        peer: SessionPeer,
        role: NoiseHandshake.Role,
        epoch: Epoch = .random(),
        outbound: [DurableMessage] = [],
        inboundCursor: UInt64 = 0,
        timing: SessionTiming = SessionTiming()
    ) {
        self.identity = identity
        self.peer = peer
        self.role = role
        self.epoch = epoch
        self.timing = timing
        inbox = Inbox(cursor: inboundCursor)
        for message in outbound { outbox.append(message.bytes, durable: message.number) }
    }

    // MARK: Links

    package mutating func addLink(_ id: LinkID, kind: LinkKind, now: ContinuousClock.Instant) {
        links[id] = LinkState(kind: kind, now: now)
        isUnsettled = true
        if let attempt {
            // The peer drops a message 1 that it answered already, so over a new link an older one may be in vain.
            if now - attempt.startedAt > timing.minimumTimeout {
                self.attempt = nil
                attempts = 0
                // The reason for it is still there, also where the session before is not given up yet.
                isHandshakeRequested = true
            } else {
                links[id]?.isHandshakeDue = true
            }
        }
        tick(now: now)
    }

    package mutating func removeLink(_ id: LinkID, now: ContinuousClock.Instant) {
        guard links.removeValue(forKey: id) != nil else { return }
        isUnsettled = true
        outbox.resend(sentOn: id)
        tick(now: now)
    }

    // MARK: Messages

    package func hasRoom(for count: Int) -> Bool { outbox.hasRoom(for: count) }

    /// - Parameters:
    ///   - durable: The message's number on disk, 0 when it need not outlive the process.
    ///   - isBulk: Part of something large: other messages overtake it.
    package mutating func send(
        _ bytes: [UInt8],
        durable: UInt64 = 0,
        isBulk: Bool = false,
        now: ContinuousClock.Instant
    ) {
        outbox.append(bytes, durable: durable, isBulk: isBulk, now: now)
        restartBusyProbes()
        tick(now: now)
    }

    package mutating func setAnswerAwaited(_ isAwaited: Bool, now: ContinuousClock.Instant) {
        guard isAnswerAwaited != isAwaited else { return }
        isAnswerAwaited = isAwaited
        restartBusyProbes()
        guard isAwaited, let preferred, !outbox.awaitsAcknowledgement else { return }
        links[preferred]?.busySince = now
        expectProbe(on: preferred, now: now)
    }

    /// The next message; nil when there is none, or while the one before it is not finished.
    package mutating func takeMessage() -> PeerMessage? { inbox.take() }

    /// The message that was taken is handled: the peer may forget it.
    package mutating func finishMessage(now: ContinuousClock.Instant) {
        inbox.finish()
        acknowledgeProgress(now: now)
    }

    // MARK: Time

    /// Does what is due at `now`. May be called at any time.
    package mutating func tick(now: ContinuousClock.Instant) {
        guard !isClosed, isUnsettled || !isSettled(at: now) else { return }
        if let settledUntil, now - settledUntil > timing.suspension {
            self.settledUntil = nil
            resume(now: now)
            return
        }
        if let attempt, now >= attempt.deadline {
            self.attempt = nil
            // There was a reason to begin it, and a session that is still there does not end that.
            isHandshakeRequested = true
        }
        if let nextAttemptAt, now >= nextAttemptAt { self.nextAttemptAt = nil }
        followPostponedNotice(now: now)
        expireSession(now: now)
        checkLinks(now: now)
        // Into a link that does not answer nothing is poured twice.
        if current != nil, let preferred, links[preferred]?.health == .answering {
            _ = outbox.retransmitIfDue(now: now)
        }
        refreshState()
        isUnsettled = false
        settledUntil = nextCheck(after: now)
    }

    private func isSettled(at now: ContinuousClock.Instant) -> Bool {
        if let settledUntil, now >= settledUntil { return false }
        if let deadline = outbox.deadline, now >= deadline { return false }
        return true
    }

    /// When ``tick(now:)`` or ``nextFrame(on:now:)`` has something to do next, after the former was called at `now`.
    package func nextDeadline(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard !isClosed else { return nil }
        var first = isUnsettled ? nextCheck(after: now) : settledUntil
        if let deadline = outbox.deadline, deadline > now { first = first.map { min($0, deadline) } ?? deadline }
        if let deadline = acknowledgementDeadline, deadline > now {
            first = first.map { min($0, deadline) } ?? deadline
        }
        return first
    }

    private func nextCheck(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var first: ContinuousClock.Instant?
        func consider(_ deadline: ContinuousClock.Instant?) {
            guard let deadline, deadline > now else { return }
            first = first.map { min($0, deadline) } ?? deadline
        }
        consider(attempt?.deadline)
        consider(nextAttemptAt)
        consider(postponedNotice?.at)
        if let startedAt = current?.startedAt {
            consider(startedAt + maximumAge)
            for (id, link) in links {
                consider(link.probeDeadline(timing, load: load(of: id)))
                consider(link.doubtDeadline(timing, load: load(of: id)))
                consider(link.nextProbe(isBusy: isBusy(id), timing: timing))
            }
        }
        return first
    }

    package mutating func takeEvents() -> [SessionEvent] {
        guard !events.isEmpty else { return [] }
        defer { events = [] }
        return events
    }

    /// There is news: what the preferred link carries may be asked after soon again.
    mutating func restartBusyProbes() {
        guard let preferred, links[preferred]?.busyProbes != 0 else { return }
        links[preferred]?.busyProbes = 0
        isUnsettled = true
    }

    /// A link became busy, so its next question is due sooner. That brings only the next look at everything forward: to take one for each
    /// message is most of what a short one costs.
    mutating func expectProbe(on link: LinkID, now: ContinuousClock.Instant) {
        guard !isUnsettled, let due = links[link]?.nextProbe(isBusy: true, timing: timing) else { return }
        // A question that is due already is no sign of a sleep, as a check that comes late is.
        guard due > now else { return isUnsettled = true }
        settledUntil = settledUntil.map { min($0, due) } ?? due
    }

    /// A record arrived that shows that the link works.
    mutating func heard(on link: LinkID, now: ContinuousClock.Instant) {
        if links[link]?.isSettled != true { isUnsettled = true }
        links[link]?.heard(now: now)
    }

    mutating func emit(_ event: SessionEvent) { events.append(event) }

    /// The initiator replaces a session in time; the responder only forgets one that the initiator did not replace.
    var maximumAge: Duration {
        role == .initiator ? timing.maximumSessionAge : timing.maximumSessionAge + .seconds(3600)
    }

    private mutating func expireSession(now: ContinuousClock.Instant) {
        guard role == .responder, let current, now - current.startedAt >= maximumAge else { return }
        self.current = nil
    }

    mutating func refreshState() {
        let next: PeerConnectionState
        if isClosed {
            next = .closed
        } else if isRefused {
            next = .refused(.notPaired)
        } else if links.isEmpty || hasPeerLeft {
            next = .notConnected
        } else if current != nil, let preferred, let link = links[preferred], link.health == .answering {
            next = .connected(path: link.kind)
        } else {
            next = .connecting
        }
        guard next != state else { return }
        state = next
        emit(.stateChanged(next))
    }
}
