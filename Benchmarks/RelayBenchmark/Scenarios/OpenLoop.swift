import CBenchmarkIO
import Glibc

/// Frames sent by the clock, and how long each takes to arrive. Without a server between, for what the machine itself takes.
struct OpenLoop {
    let pairs: Int
    let frameBytes: Int
    let perSecond: Double

    func measure(_ server: ServerProcess, warmUp: Double, seconds: Double) throws -> Latencies.Summary {
        let clients = try Crowd.open(
            pairs: pairs,
            named: "open",
            port: server.port,
            frameBytes: frameBytes,
            window: 4
        )
        try Crowd.check(clients, named: "open", frameBytes: frameBytes)
        return try measure(clients, warmUp: warmUp, seconds: seconds)
    }

    /// The same with each pair's sockets connected to each other.
    func measureDirectly(warmUp: Double, seconds: Double) throws -> Latencies.Summary {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw Client.failure("socket") }
        defer { close(listener) }
        var address = Client.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw Client.failure("listen") }
        var clients: [Client] = []
        for number in 0..<pairs {
            let text = Crowd.message(to: Crowd.id(number, of: "open"), bytes: frameBytes)
            let frame = ClientFrame.unmasked(text)
            clients.append(try Client(port: UInt16(bigEndian: address.sin_port), frame: frame, atOnce: 4))
            let accepted = accept(listener, nil, nil)
            guard accepted >= 0 else { throw Client.failure("accept") }
            clients.append(Client(accepted: accepted))
        }
        return try measure(clients, warmUp: warmUp, seconds: seconds)
    }

    private func measure(_ clients: [Client], warmUp: Double, seconds: Double) throws -> Latencies.Summary {
        let loop = try LoadLoop()
        for client in clients { _ = try loop.add(client) }
        var latencies = Latencies()
        var sentTimes = [SentTimes](repeating: SentTimes(), count: pairs)
        var pace = Pace(perSecond: perSecond)
        var unexpected = 0
        let start = benchmark_nanoseconds()
        let counted = start + UInt64(warmUp * 1e9)
        let end = counted + UInt64(seconds * 1e9)
        while true {
            var now = benchmark_nanoseconds()
            if now >= end { break }
            // A few at a time: after a pause, what has arrived is not kept waiting for everything that is due.
            var burst = 0
            while burst < 8, pace.takes(at: now) {
                let pair = pace.sent % pairs
                sentTimes[pair].push(benchmark_nanoseconds())
                try loop.send(pair * 2, frames: 1)
                burst += 1
            }
            try loop.turn(waitingMilliseconds: 0) { number, messages in
                guard !number.isMultiple(of: 2) else {
                    unexpected += messages
                    return
                }
                now = benchmark_nanoseconds()
                for _ in 0..<messages {
                    guard let sent = sentTimes[number / 2].pop(), sent >= counted else { continue }
                    latencies.add(now - sent)
                }
            }
            guard unexpected == 0 else { throw BenchmarkError.unexpectedFrames(count: unexpected) }
            guard loop.ended == 0 else { throw BenchmarkError.system(call: "recv", reason: "a connection was closed") }
        }
        return latencies.summary()
    }
}
