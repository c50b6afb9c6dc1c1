import CBenchmarkIO

/// Pairs with a fixed number of frames under way: each one that arrives is replaced.
struct ClosedLoop {
    let pairs: Int
    /// Frames under way for each pair.
    let window: Int
    let frameBytes: Int

    struct Result {
        let frames: Int
        let serverSeconds: Double
        let generatorSeconds: Double
        let seconds: Double

        /// The measure: what a second of the server's processor time forwards.
        var framesPerProcessorSecond: Double { Double(frames) / max(serverSeconds, 0.01) }
    }

    func measure(_ server: ServerProcess, warmUp: Double, seconds: Double) throws -> Result {
        let crowd = "W\(window)"
        let clients = try Crowd.open(
            pairs: pairs,
            named: crowd,
            port: server.port,
            frameBytes: frameBytes,
            window: window
        )
        try Crowd.check(clients, named: crowd, frameBytes: frameBytes)
        let loop = try LoadLoop()
        for client in clients { _ = try loop.add(client) }
        for number in stride(from: 0, to: clients.count, by: 2) { try loop.send(number, frames: window) }
        _ = try run(loop, warmUp)
        let before = (try server.processorSeconds(), ProcessorTime.ownSeconds(), benchmark_nanoseconds())
        let frames = try run(loop, seconds)
        return Result(
            frames: frames,
            serverSeconds: try server.processorSeconds() - before.0,
            generatorSeconds: ProcessorTime.ownSeconds() - before.1,
            seconds: Double(benchmark_nanoseconds() - before.2) / 1e9
        )
    }

    private func run(_ loop: LoadLoop, _ seconds: Double) throws -> Int {
        var frames = 0
        var unexpected = 0
        var lastArrival = benchmark_nanoseconds()
        let end = lastArrival + UInt64(seconds * 1e9)
        while true {
            let before = frames
            try loop.turn(waitingMilliseconds: 100) { number, messages in
                if number.isMultiple(of: 2) {
                    unexpected += messages
                } else {
                    frames += messages
                    try loop.send(number - 1, frames: messages)
                }
            }
            let now = benchmark_nanoseconds()
            if frames > before { lastArrival = now }
            guard unexpected == 0 else { throw BenchmarkError.unexpectedFrames(count: unexpected) }
            guard loop.ended == 0 else {
                throw BenchmarkError.system(call: "recv", reason: "the server closed a connection")
            }
            guard now - lastArrival < 10_000_000_000 else { throw BenchmarkError.stuck(scenario: "W=\(window)") }
            if now >= end { return frames }
        }
    }
}
