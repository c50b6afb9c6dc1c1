/// How long to wait before each try of something that keeps failing.
public struct Backoff: Sendable {
    /// The waits in order; the last one repeats.
    public let steps: [Duration]
    /// The part of each wait that is drawn at random, 0 to 1: 0.2 means between 80 % and 120 %.
    public let jitter: Double
    /// Waits that were handed out since the start or the last ``reset()``.
    public private(set) var attempt = 0

    public init(steps: [Duration], jitter: Double = 0.2) {
        precondition(!steps.isEmpty, "a backoff has at least one step")
        self.steps = steps
        self.jitter = min(max(jitter, 0), 1)
    }

    /// The signaling client's: 0.5, 1, 2, 5, then 10 s. Source: `docs/protocol.md`, "Keepalive and reconnect".
    public static var signaling: Backoff {
        Backoff(steps: [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10)])
    }

    /// The next wait. Jitter keeps a thousand clients of one restarted server from coming back together.
    public mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// ``next()`` with the generator that draws the jitter.
    public mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let step = steps[min(attempt, steps.count - 1)]
        attempt += 1
        guard jitter > 0 else { return step }
        return step * Double.random(in: (1 - jitter)...(1 + jitter), using: &generator)
    }

    /// Begins again with the first step: the thing succeeded.
    public mutating func reset() { attempt = 0 }
}
