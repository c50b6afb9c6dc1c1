/// How long frames took, in nanoseconds.
struct Latencies {
    private var values: [UInt64] = []

    mutating func add(_ value: UInt64) { values.append(value) }

    struct Summary {
        /// Microseconds.
        let median: Double
        let p99: Double
        let count: Int
    }

    func summary() -> Summary {
        let sorted = values.sorted()
        func quantile(_ share: Double) -> Double {
            sorted.isEmpty ? .nan : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
        }
        return Summary(median: quantile(0.5), p99: quantile(0.99), count: sorted.count)
    }
}
