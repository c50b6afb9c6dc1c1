/// When the frames of one pair that are still under way were sent; they arrive in that order.
struct SentTimes {
    private var times: [UInt64] = []
    private var first = 0

    mutating func push(_ time: UInt64) { times.append(time) }

    mutating func pop() -> UInt64? {
        guard first < times.count else { return nil }
        defer {
            first += 1
            if first == times.count {
                times.removeAll(keepingCapacity: true)
                first = 0
            }
        }
        return times[first]
    }
}
