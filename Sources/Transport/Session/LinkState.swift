/// What a session knows about one of its links.
struct LinkState: Sendable {
    enum Health: Hashable, Sendable {
        /// Came up and was not heard yet.
        case untested
        case answering
        /// Asked so many times in a row without an answer.
        case silent(misses: Int)
    }

    struct Probe: Hashable, Sendable {
        let token: UInt64
        /// From here the silence is counted, even while a stuck link does not take the question.
        var askedAt: ContinuousClock.Instant
        var isSent = false
        var isOverdue = false
    }

    /// A peer that asks faster than it reads gets its latest questions answered.
    private static let maximumPongs = 4
    /// Round trips longer than the time between two questions are still measured.
    private static let rememberedProbes = 8

    let kind: LinkKind
    private let addedAt: ContinuousClock.Instant
    private(set) var health = Health.untested
    private(set) var roundTrip: Duration?
    private(set) var probe: Probe?
    var isHandshakeDue = false
    /// A message 2 or a notice.
    var answer: LinkFrame?
    /// Questions in a row without news of what they were asked for.
    var busyProbes = 0
    private(set) var pongs: [UInt64] = []
    private var sentProbes: [(token: UInt64, at: ContinuousClock.Instant)] = []
    private var lastProbeAt: ContinuousClock.Instant?
    private var lastHeardAt: ContinuousClock.Instant?

    init(kind: LinkKind, now: ContinuousClock.Instant) {
        self.kind = kind
        addedAt = now
    }

    /// How long an answer may take before the link counts as silent.
    func timeout(_ timing: SessionTiming) -> Duration {
        roundTrip.map { max(timing.minimumTimeout, $0 * 4) } ?? timing.initialTimeout
    }

    /// Whether hearing more changes nothing but times.
    var isSettled: Bool { health == .answering && probe?.isOverdue != true }

    /// Whether ``SessionEngine/nextFrame(on:now:)`` has something of the link's own.
    var owesFrame: Bool { isHandshakeDue || answer != nil || !pongs.isEmpty || probe?.isSent == false }

    /// When the next question is due; nil while one is open.
    func nextProbe(isBusy: Bool, timing: SessionTiming) -> ContinuousClock.Instant? {
        if let probe, !probe.isOverdue { return nil }
        guard let lastProbeAt else { return addedAt }
        switch health {
        case .untested: return lastProbeAt + timing.initialTimeout
        case .silent(let misses):
            return lastProbeAt + min(timing.minimumTimeout * (1 << min(misses, 10)), timing.maximumSilentProbe)
        case .answering:
            let quiet = max(lastProbeAt, lastHeardAt ?? lastProbeAt)
            let busy = min(timing.busyProbe * (1 << min(busyProbes, 10)), timing.maximumSilentProbe)
            return quiet + (isBusy ? busy : timing.idleProbe)
        }
    }

    /// When the open question counts as unanswered.
    func probeDeadline(_ timing: SessionTiming) -> ContinuousClock.Instant? {
        guard let probe, !probe.isOverdue else { return nil }
        return probe.askedAt + timeout(timing)
    }

    mutating func ask(_ token: UInt64, now: ContinuousClock.Instant) {
        probe = Probe(token: token, askedAt: now)
        lastProbeAt = now
        busyProbes += 1
    }

    mutating func missed() {
        probe?.isOverdue = true
        if case .silent(let misses) = health {
            health = .silent(misses: misses + 1)
        } else {
            health = .silent(misses: 1)
        }
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

    mutating func owePong(_ token: UInt64) {
        if pongs.count == Self.maximumPongs { pongs.removeFirst() }
        pongs.append(token)
        // The first sign of life is enough to try the link; after silence only an answer is, because a link that
        // works in one direction only still brings the peer's questions.
        if health == .untested { health = .answering }
    }

    /// Something came that shows that the link works in both directions, or that the peer believes so.
    mutating func heard(now: ContinuousClock.Instant) {
        health = .answering
        lastHeardAt = now
        probe?.askedAt = now
        if probe?.isOverdue == true { probe = nil }
    }

    mutating func answered(_ token: UInt64, now: ContinuousClock.Instant) {
        heard(now: now)
        if probe?.token == token { probe = nil }
        guard let index = sentProbes.firstIndex(where: { $0.token == token }) else { return }
        measured(now - sentProbes[index].at)
        sentProbes.removeSubrange(...index)
    }

    mutating func measured(_ sample: Duration) {
        roundTrip = roundTrip.map { $0 * 0.875 + sample * 0.125 } ?? sample
    }

    /// The peer left, or everything known about the link is old.
    mutating func reset(now: ContinuousClock.Instant) {
        self = LinkState(kind: kind, now: now)
    }
}
