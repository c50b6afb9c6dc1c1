/// How many bytes of a session may be under way: about what the link carries in a third of a second, so that a key that is typed beside
/// a file is never far behind, on a slow link either.
///
/// It begins small and doubles while what it lets through is acknowledged quickly.
struct SendWindow: Sendable {
    static let first = 128 << 10
    static let least = 16 << 10
    static let most = 2 << 20
    /// The delay beyond the link's round trip from which on too much is under way.
    private static let slow = Duration.milliseconds(300)
    /// The delay beyond the link's round trip up to which more may be under way.
    private static let fast = Duration.milliseconds(100)
    /// Fewer bytes measure a link's round trip and not its speed.
    private static let measurable = 32 << 10
    /// The assumed speed of a link that was not measured yet, in bytes a second.
    private static let assumedSpeed = 512.0 * 1024
    private static let maximumTime = Duration.seconds(5)

    private(set) var limit: Int
    /// Whether more would have gone out with a wider window.
    var wasFull = false
    /// Bytes a second; of the fastest measurements, which forgets slowly.
    private var speed: Double?
    /// The window is changed once for what was under way at its last change.
    private var changedAt: UInt64 = 0

    init(limit: Int = first) {
        self.limit = limit
    }

    /// - Parameters:
    ///   - number: The newest message that arrived.
    ///   - last: The newest that was sent.
    ///   - ahead: Bytes under way when it left, its own included.
    ///   - queued: How long it took beyond the link's round trip.
    mutating func acknowledged(_ number: UInt64, of last: UInt64, ahead: Int, queued: Duration) {
        let queued = max(queued, .microseconds(10))
        if ahead >= Self.measurable {
            let sample = Double(ahead) / (queued / .seconds(1))
            speed = max(sample, (speed ?? 0) * 0.8)
        }
        guard number > changedAt else { return }
        if queued > Self.slow {
            limit = max(Self.least, Int(Double(min(limit, max(ahead, Self.least))) * (Self.slow / queued)))
        } else if wasFull, queued <= Self.fast {
            limit = min(Self.most, limit * 2)
        } else {
            return
        }
        wasFull = false
        changedAt = last
    }

    /// How long so many bytes take.
    func time(for count: Int) -> Duration {
        min(.seconds(Double(count) / (speed ?? Self.assumedSpeed)), Self.maximumTime)
    }
}
