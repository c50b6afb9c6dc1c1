/// Delays after wrong secrets: some in a while are mistakes, then each has to be waited for, twice as long as the one before. A value: its
/// owner keeps it.
package struct GuessThrottle: Sendable {
    /// The bounds of one source, or of all together.
    package struct Limits: Hashable, Sendable {
        /// Failures within the window, the last of which begins a wait.
        package let failures: Int
        package let window: Duration
        package let firstWait: Duration
        /// Also the time of quiet after which a failure is a mistake again.
        package let longestWait: Duration

        package init(failures: Int, within window: Duration, firstWait: Duration, longestWait: Duration) {
            self.failures = failures
            self.window = window
            self.firstWait = firstWait
            self.longestWait = longestWait
        }
    }

    /// The origin of a guess.
    package enum Source: Hashable, Sendable {
        /// Never kept out, and its failures count nowhere: guesses of others shall not lock out the owner of this machine.
        case exempt
        /// Counts with all others only.
        case anyone
        case of(String)
    }

    private struct Record {
        var failures: [ContinuousClock.Instant] = []
        var waitsUntil: ContinuousClock.Instant?
        var waits = 0

        func wait(_ now: ContinuousClock.Instant) -> Duration { waitsUntil.map { max(.zero, $0 - now) } ?? .zero }

        mutating func fail(_ limits: Limits, _ now: ContinuousClock.Instant) {
            let last = failures.last
            if let last, now - last > limits.longestWait { waits = 0 }
            failures = failures.filter { now - $0 < limits.window || $0 == last } + [now]
            let recent = failures.count(where: { now - $0 < limits.window })
            guard recent >= limits.failures || waits > 0 else { return }
            waitsUntil = now + min(limits.firstWait * (1 << min(waits, 10)), limits.longestWait)
            waits += 1
            // One more is enough for the next wait.
            failures.removeFirst(max(0, failures.count - limits.failures))
        }
    }

    private let each: Limits?
    private let all: Limits
    private let sourceLimit: Int
    private var sources: [String: Record] = [:]
    private var total = Record()
    /// Sources that have shown a secret that holds: strangers' guesses do not keep them out.
    private var known: Set<String> = []

    /// - Parameters:
    ///   - each: The bounds of one source; nil where sources are not told apart.
    ///   - all: The bounds of all sources together.
    ///   - sourceLimit: Sources that are remembered.
    package init(each: Limits?, all: Limits, sourceLimit: Int = 4096) {
        self.each = each
        self.all = all
        self.sourceLimit = sourceLimit
    }

    package var sourceCount: Int { sources.count }

    /// How long a source has to wait; nil where it may try.
    package func wait(of source: Source, now: ContinuousClock.Instant) -> Duration? {
        let wait: Duration
        switch source {
        case .exempt: return nil
        case .anyone: wait = total.wait(now)
        case .of(let name):
            wait = max(sources[name]?.wait(now) ?? .zero, known.contains(name) ? .zero : total.wait(now))
        }
        return wait > .zero ? wait : nil
    }

    /// Notes a wrong secret.
    package mutating func fail(_ source: Source, now: ContinuousClock.Instant) {
        if case .exempt = source { return }
        if let each, case .of(let name) = source {
            makeRoom(for: name, each, now)
            sources[name, default: Record()].fail(each, now)
        }
        total.fail(all, now)
    }

    /// Notes a secret that holds.
    package mutating func succeed(_ source: Source) {
        guard case .of(let name) = source else { return }
        sources[name] = nil
        if known.count >= sourceLimit { known = [] }
        known.insert(name)
    }

    /// Forgets sources that guessed nothing lately; if all did, the one whose wait ends first.
    private mutating func makeRoom(for name: String, _ each: Limits, _ now: ContinuousClock.Instant) {
        guard sources.count >= sourceLimit, sources[name] == nil else { return }
        sources = sources.filter { $0.value.failures.last.map { now - $0 < each.longestWait } ?? false }
        guard sources.count >= sourceLimit,
            let first = sources.min(by: { ($0.value.waitsUntil ?? now) < ($1.value.waitsUntil ?? now) })
        else { return }
        sources[first.key] = nil
    }
}
