/// How long things took, in nanoseconds.
struct Latencies {
    private var values: [UInt64] = []

    var count: Int { values.count }

    mutating func add(_ value: UInt64) { values.append(value) }

    /// Milliseconds below which that share of them is; nil without any.
    func milliseconds(_ share: Double) -> Double? {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return nil }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6
    }
}
