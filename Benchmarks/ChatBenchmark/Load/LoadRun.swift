import CBenchmarkIO
import Glibc

/// Pairs of people on one thread: person 2n writes to person 2n + 1.
final class LoadRun {
    private struct Pair {
        var sent = 0
        var acknowledged = 0
        var delivered = 0
        /// Nanoseconds at which messages were sent, by their number from 1.
        var times: [UInt64] = [0]
    }

    private static let patience: UInt64 = 10_000_000_000
    /// 98 bytes of words, as people write.
    private static let body =
        "the quick brown fox jumps over the lazy dog and comes back to see whether anything was left for it"

    private var lines: [Line] = []
    private var dialects: [any Dialect] = []
    private var pairs: [Pair]
    private let poller: Int32
    private var events = [benchmark_event](repeating: benchmark_event(), count: 256)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    private var lastArrival: UInt64 = 0
    /// Messages that came twice, or before those that were sent before them.
    private(set) var misplaced = 0
    private(set) var acknowledgements = Latencies()
    private(set) var deliveries = Latencies()
    /// What was sent before this is warm-up.
    private var counted = UInt64.max

    init(_ dialect: DialectName, port: UInt16, people: [Person], pairs count: Int, run: String) throws {
        guard people.count >= count * 2 else {
            throw LoadError.tooFewPeople(needed: count * 2, given: people.count)
        }
        pairs = Array(repeating: Pair(), count: count)
        poller = benchmark_poller()
        guard poller >= 0 else { throw LoadError.last("epoll_create1") }
        for (number, person) in people.prefix(count * 2).enumerated() {
            let line = try Line(port: port, person: person, number: number)
            let spoken = dialect.type.init(line: line, run: "\(run)-\(number / 2)")
            try spoken.open(port: port)
            lines.append(line)
            dialects.append(spoken)
            guard benchmark_watch(poller, line.socket, UInt64(number), 0, 1) == 0 else {
                throw LoadError.last("epoll_ctl")
            }
        }
    }

    deinit {
        close(poller)
        buffer.deallocate()
    }

    var sent: Int { pairs.reduce(0) { $0 + $1.sent } }
    var delivered: Int { pairs.reduce(0) { $0 + $1.delivered } }

    /// From now on times count.
    func count() {
        counted = benchmark_nanoseconds()
        (acknowledgements, deliveries) = (Latencies(), Latencies())
    }

    /// A fixed number of messages under way for each pair, for so long. One is under way until it is durable and has arrived.
    func closed(window: Int, seconds: Double) throws {
        let end = benchmark_nanoseconds() + UInt64(seconds * 1e9)
        lastArrival = benchmark_nanoseconds()
        for pair in pairs.indices { try fill(pair, window) }
        while benchmark_nanoseconds() < end {
            try turn(waitingMilliseconds: 20) { pair in try fill(pair, window) }
        }
    }

    /// Messages by the clock, whatever has arrived, for so long.
    func open(perSecond: Double, seconds: Double) throws {
        let start = benchmark_nanoseconds()
        lastArrival = start
        let before = sent
        var begun = 0
        while true {
            let passed = Double(benchmark_nanoseconds() - start) / 1e9
            if passed >= seconds { return }
            // A few at a time: after a pause, what has arrived is not kept waiting for everything that is due.
            var burst = 0
            while burst < 8, Double(begun) < passed * perSecond {
                try send(on: (before + begun) % pairs.count)
                begun += 1
                burst += 1
            }
            try turn(waitingMilliseconds: burst == 8 ? 0 : 1) { _ in }
        }
    }

    /// Waits until everything that was sent is durable and has arrived, for so long at most.
    func drain(seconds: Double) throws {
        let end = benchmark_nanoseconds() + UInt64(seconds * 1e9)
        lastArrival = benchmark_nanoseconds()
        while pairs.contains(where: { min($0.acknowledged, $0.delivered) < $0.sent }), benchmark_nanoseconds() < end {
            try turn(waitingMilliseconds: 20) { _ in }
        }
    }

    private func fill(_ pair: Int, _ window: Int) throws {
        while pairs[pair].sent - min(pairs[pair].acknowledged, pairs[pair].delivered) < window { put(pair) }
        try flush(pair * 2)
    }

    private func send(on pair: Int) throws {
        put(pair)
        try flush(pair * 2)
    }

    private func put(_ pair: Int) {
        pairs[pair].sent += 1
        pairs[pair].times.append(benchmark_nanoseconds())
        dialects[pair * 2].send(pairs[pair].sent, to: lines[pair * 2 + 1].person, body: Self.body)
    }

    private func flush(_ number: Int) throws {
        let line = lines[number]
        try line.flush()
        guard line.isBehind != line.wantsWrite else { return }
        line.wantsWrite = line.isBehind
        guard benchmark_watch(poller, line.socket, UInt64(number), line.isBehind ? 1 : 0, 0) == 0 else {
            throw LoadError.last("epoll_ctl")
        }
    }

    /// Handles what is there, waiting for it at most that long.
    private func turn(waitingMilliseconds: Int32, changed: (_ pair: Int) throws -> Void) throws {
        let count = events.withUnsafeMutableBufferPointer {
            benchmark_wait(poller, $0.baseAddress, Int32($0.count), waitingMilliseconds)
        }
        guard count >= 0 else { throw LoadError.last("epoll_wait") }
        let now = benchmark_nanoseconds()
        if count > 0 { lastArrival = now }
        guard now - lastArrival < Self.patience || sent == delivered else { throw LoadError.stuck(seconds: 10) }
        for index in 0..<Int(count) {
            let number = Int(events[index].token)
            if events[index].can_read != 0 {
                try lines[number].receive(into: buffer)
                try dialects[number].read { note($0, on: number) }
                try changed(number / 2)
            }
            try flush(number)
        }
    }

    private func note(_ event: Event, on number: Int) {
        let now = benchmark_nanoseconds()
        let pair = number / 2
        switch event {
        case .acknowledged(let through):
            while pairs[pair].acknowledged < min(through, pairs[pair].sent) {
                pairs[pair].acknowledged += 1
                let time = pairs[pair].times[pairs[pair].acknowledged]
                if time >= counted { acknowledgements.add(now - time) }
            }
        case .delivered(let message):
            guard number % 2 == 1 else { return }
            guard message == pairs[pair].delivered + 1 else {
                misplaced += 1
                return
            }
            pairs[pair].delivered = message
            let time = pairs[pair].times[message]
            if time >= counted { deliveries.add(now - time) }
        }
    }
}
