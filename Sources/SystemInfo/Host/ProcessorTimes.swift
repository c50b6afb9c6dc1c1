/// How long the processors worked and idled since the computer started, in any one unit.
package struct ProcessorTimes: Hashable, Sendable {
    package var busy: UInt64
    package var total: UInt64

    package init(busy: UInt64, total: UInt64) {
        self.busy = busy
        self.total = total
    }

    /// 0 to 100. Nil when no time has passed, or the counters were set back.
    func usage(since earlier: ProcessorTimes) -> Double? {
        guard total > earlier.total, busy >= earlier.busy else { return nil }
        return min(100, Double(busy - earlier.busy) / Double(total - earlier.total) * 100)
    }
}
