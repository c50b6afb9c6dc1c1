import Kernel

/// A rate limit for each program's notifications. A value: its owner keeps it.
struct ProgramFloods {
    /// The decision on one notification.
    enum Verdict: Hashable {
        case passes
        /// It is counted in the program's one row.
        ///
        /// - Parameters:
        ///   - count: How many that row stands for now.
        ///   - since: When this flood began, which tells it from others.
        case counted(count: Int, since: UInt64)
    }

    static let burst = 20.0
    static let perSecond = 1.0
    /// Programs that are told apart while they talk. Names are the programs' claim, so the others share one bucket.
    static let limit = 256

    private struct Flow {
        var bucket: TokenBucket
        var count = 0
        var began: UInt64 = 0
    }

    private var flows: [String: Flow] = [:]

    /// - Parameter now: Nanoseconds of any one monotonic clock.
    mutating func take(_ program: String, now: UInt64) -> Verdict {
        change(program, now: now) { flow in
            if flow.bucket.take(now: now) { return .passes }
            if flow.count == 0 { flow.began = now }
            flow.count += 1
            return .counted(count: flow.count, since: flow.began)
        }
    }

    /// Like ``take(_:now:)``, for something that is no notification of its own and is not counted where it is too much.
    mutating func passes(_ program: String, now: UInt64) -> Bool {
        change(program, now: now) { $0.bucket.take(now: now) }
    }

    private mutating func change<Answer>(_ program: String, now: UInt64, _ body: (inout Flow) -> Answer) -> Answer {
        var name = program
        if flows[name] == nil, flows.count >= Self.limit {
            flows = flows.filter { !$0.value.bucket.isFull(now: now) }
            if flows.count >= Self.limit { name = "" }
        }
        var flow =
            flows[name]
            ?? Flow(bucket: TokenBucket(capacity: Self.burst, refillPerSecond: Self.perSecond, now: now))
        defer { flows[name] = flow }
        // Said nothing for as long as a whole burst takes: the next flood is another one.
        if flow.bucket.isFull(now: now) { flow.count = 0 }
        return body(&flow)
    }
}
