/// A session's knowledge of one of its links.
struct LinkState: Sendable {
    enum Health: Hashable, Sendable {
        /// Came up and was not heard yet.
        case untested
        case answering
        /// Answered, but there is a reason to ask again before more goes that way: the peer left it, or the machine slept.
        case doubted
        /// Gave no answer to so many questions in a row.
        case silent(misses: Int)
    }

    struct Probe: Hashable, Sendable {
        let token: UInt64
        /// The start of the silence, which is counted even while a stuck link does not take the question.
        var askedAt: ContinuousClock.Instant
        let firstAskedAt: ContinuousClock.Instant
        var isSent = false
        /// The link's carrier was asked as well, because the answer stays out while other things come.
        var isDoubted = false
        var isOverdue = false
    }

    /// A peer that asks faster than it reads gets its latest questions answered.
    private static let maximumPongs = 4
    /// Round trips longer than the time between two questions are still measured.
    private static let rememberedProbes = 8
    /// Satellites take 0.7 s; anything longer is a queue somewhere, and no property of the link.
    private static let maximumSample = Duration.seconds(2)

    let kind: LinkKind
    private let addedAt: ContinuousClock.Instant
    private(set) var health = Health.untested
    /// Smoothed, of answers that came in time: how long a stall took says nothing about the link after it.
    private(set) var roundTrip: Duration?
    private(set) var probe: Probe?
    /// Whether to ask as soon as no question is open.
    private var isProbeDue = false
    /// Answers in a row that came too late. One ends a stall; a second shows that the link became slower.
    private var lateAnswers = 0
    var isHandshakeDue = false
    /// A message 2 or a notice that is to be sent.
    var answer: LinkFrame?
    /// Questions in a row without news of what they were asked for.
    var busyProbes = 0
    /// The start of the wait for the next acknowledgement or answer, once the one waited for before had come.
    var busySince: ContinuousClock.Instant?
    private(set) var pongs: [UInt64] = []
    private var sentProbes: [(token: UInt64, at: ContinuousClock.Instant)] = []
    private var lastProbeAt: ContinuousClock.Instant?
    private var lastHeardAt: ContinuousClock.Instant?

    init(kind: LinkKind, now: ContinuousClock.Instant) {
        self.kind = kind
        addedAt = now
    }

    /// How long an answer may take before the link counts as silent: little more than usual on this link, so that another
    /// link takes over within a second.
    func timeout(_ timing: SessionTiming) -> Duration {
        guard let roundTrip else { return timing.initialTimeout }
        return max(timing.minimumTimeout, min(roundTrip * 4, roundTrip + timing.maximumPatience))
    }

    /// Whether hearing more changes nothing but times.
    var isSettled: Bool { health == .answering && probe?.isOverdue != true }

    /// Whether ``SessionEngine/nextFrame(on:now:)`` has something of the link's own.
    var owesFrame: Bool { isHandshakeDue || answer != nil || !pongs.isEmpty || probe?.isSent == false }

    /// When the next question is due; nil while one is open.
    func nextProbe(isBusy: Bool, timing: SessionTiming) -> ContinuousClock.Instant? {
        if let probe, !probe.isOverdue { return nil }
        guard let lastProbeAt, !isProbeDue else { return addedAt }
        switch health {
        case .untested: return lastProbeAt + timing.initialTimeout
        case .doubted: return lastProbeAt + timing.minimumTimeout
        case .silent(let misses):
            return lastProbeAt + min(timing.minimumTimeout * (1 << min(misses, 10)), timing.maximumSilentProbe)
        case .answering:
            let quiet = max(lastProbeAt, lastHeardAt ?? lastProbeAt)
            guard isBusy else { return quiet + timing.idleProbe }
            let busy = min(timing.busyProbe * (1 << min(busyProbes, 10)), timing.maximumBusyProbe)
            return max(quiet, busySince ?? quiet) + busy
        }
    }

    /// When the open question counts as unanswered.
    ///
    /// - Parameter load: How long it takes to send what goes out before the question.
    func probeDeadline(_ timing: SessionTiming, load: Duration) -> ContinuousClock.Instant? {
        guard let probe, !probe.isOverdue else { return nil }
        return probe.askedAt + timeout(timing) + load
    }

    /// When the link's carrier is asked as well: what comes over a link prolongs the wait for its answer, and says nothing about the
    /// other direction, which may have stood still for long.
    func doubtDeadline(_ timing: SessionTiming, load: Duration) -> ContinuousClock.Instant? {
        guard let probe, !probe.isOverdue, !probe.isDoubted else { return nil }
        return probe.firstAskedAt + timeout(timing) + load
    }

    mutating func askedCarrier() { probe?.isDoubted = true }

    mutating func ask(_ token: UInt64, now: ContinuousClock.Instant) {
        probe = Probe(token: token, askedAt: now, firstAskedAt: now)
        lastProbeAt = now
        isProbeDue = false
        busyProbes += 1
    }

    mutating func missed() {
        probe?.isOverdue = true
        guard case .silent(let misses) = health else { return health = .silent(misses: 1) }
        health = .silent(misses: misses + 1)
    }

    /// The peer sends over a lesser link: it may have found this one silent.
    mutating func doubt(now: ContinuousClock.Instant, interval: Duration) {
        guard health == .answering, now - (lastHeardAt ?? addedAt) >= interval else { return }
        health = .doubted
        isProbeDue = true
    }

    /// This machine slept, or the process was stopped: what was asked before could not be answered, so it is asked again at once.
    mutating func resume() {
        probe = nil
        sentProbes = []
        isProbeDue = true
        busyProbes = 0
        if case .silent = health { health = .doubted }
    }

    /// The question to send, once.
    mutating func takeProbe(now: ContinuousClock.Instant) -> UInt64? {
        guard let probe, !probe.isSent else { return nil }
        self.probe?.isSent = true
        sentProbes.append((probe.token, now))
        if sentProbes.count > Self.rememberedProbes { sentProbes.removeFirst() }
        return probe.token
    }

    mutating func takePong() -> UInt64? { pongs.isEmpty ? nil : pongs.removeFirst() }

    mutating func owePong(_ token: UInt64, now: ContinuousClock.Instant, interval: Duration) {
        if pongs.count == Self.maximumPongs { pongs.removeFirst() }
        pongs.append(token)
        switch health {
        case .untested:
            // The first sign of life is enough to try the link.
            health = .answering
        case .silent:
            // Only an answer ends the silence, because a link that works in one direction only still brings the peer's questions.
            if now - (lastProbeAt ?? addedAt) >= interval { isProbeDue = true }
        case .answering, .doubted: break
        }
    }

    /// Something came that shows that the link works in both directions, or that the peer believes so.
    mutating func heard(now: ContinuousClock.Instant) {
        if case .silent = health {
            sentProbes = []
            // How fast it is now shows only the answer to a new question.
            isProbeDue = true
        }
        health = .answering
        lastHeardAt = now
        probe?.askedAt = now
        if probe?.isOverdue == true { probe = nil }
    }

    mutating func answered(_ token: UInt64, now: ContinuousClock.Instant) {
        let wasSilent = if case .silent = health { true } else { false }
        let sentAt = sentProbes.firstIndex { $0.token == token }.map { sentProbes[$0].at }
        heard(now: now)
        if probe?.token == token { probe = nil }
        guard let sentAt else { return }
        sentProbes.removeAll { $0.at <= sentAt }
        let sample = min(now - sentAt, Self.maximumSample)
        guard wasSilent else {
            lateAnswers = 0
            roundTrip = roundTrip.map { $0 * 0.875 + sample * 0.125 } ?? sample
            return
        }
        lateAnswers += 1
        if lateAnswers > 1 { roundTrip = sample }
    }

    /// A message was acknowledged in time, so the link is as fast as it was.
    mutating func acknowledgedInTime() { lateAnswers = 0 }

    /// The peer left, or everything known about the link is old.
    mutating func reset(now: ContinuousClock.Instant) {
        self = LinkState(kind: kind, now: now)
    }
}
