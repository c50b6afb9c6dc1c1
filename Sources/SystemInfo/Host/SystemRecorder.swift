import Kernel
import SystemInfo

/// The figures of the last five minutes, in memory only, so that whoever looks at a computer sees where it comes from.
struct SystemRecorder {
    /// The time between two looks.
    static let step: Duration = .seconds(5)
    /// Five minutes.
    static let limit = 60

    private struct Look {
        let times: ProcessorTimes?
        let received: UInt64?
        let sent: UInt64?
        let at: ContinuousClock.Instant
    }

    private var points: [SystemHistory.Point] = []
    private var latest: Int64 = 0
    private var past: Look?

    /// Nil until two looks were taken: the first one says nothing of a rate.
    var history: SystemHistory? {
        guard !points.isEmpty else { return nil }
        return SystemHistory(step: Double(Self.step.components.seconds), timestamp: latest, points: points)
    }

    /// - Parameters:
    ///   - networks: Nil where the computer did not tell.
    ///   - date: In milliseconds since 1970.
    mutating func take(
        times: ProcessorTimes?,
        memory: MemoryFacts?,
        networks: [NetworkFacts]?,
        at now: ContinuousClock.Instant,
        date: Int64
    ) {
        let counted = networks?.filter { !$0.isLoopback }
        let look = Look(
            times: times,
            received: counted.map { Self.sum($0, \.bytesReceived) },
            sent: counted.map { Self.sum($0, \.bytesSent) },
            at: now
        )
        defer { past = look }
        guard let former = past, now > former.at else { return }
        let seconds = (now - former.at) / .seconds(1)
        // After a sleep of the computer the points before are of another time.
        if now - former.at > Self.step * 6 { points = [] }
        points.append(
            SystemHistory.Point(
                processor: times.flatMap { latest in former.times.flatMap { latest.usage(since: $0) } },
                memory: memory.flatMap { $0.total == 0 ? nil : Double($0.used) / Double($0.total) * 100 },
                received: Self.rate(look.received, former.received, seconds),
                sent: Self.rate(look.sent, former.sent, seconds)
            )
        )
        points.removeFirst(max(0, points.count - Self.limit))
        latest = date
    }

    private static func sum(_ networks: [NetworkFacts], _ count: KeyPath<NetworkFacts, UInt64>) -> UInt64 {
        networks.reduce(0) { $0.addingReportingOverflow($1[keyPath: count]).partialValue }
    }

    /// Nil where a counter began anew, or an interface went.
    private static func rate(_ now: UInt64?, _ before: UInt64?, _ seconds: Double) -> Double? {
        guard let now, let before, now >= before else { return nil }
        return Double(now - before) / seconds
    }
}
