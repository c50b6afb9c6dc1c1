import CBenchmarkIO

/// Says when the next frame of an open loop is due: by the clock, whatever has arrived.
struct Pace {
    private let start = benchmark_nanoseconds()
    private let interval: Double
    private(set) var sent = 0

    init(perSecond: Double) { interval = 1e9 / perSecond }

    /// Whether one more is due; then it counts as sent.
    mutating func takes(at now: UInt64) -> Bool {
        guard Double(now - start) >= Double(sent) * interval else { return false }
        sent += 1
        return true
    }
}
