import BenchmarkReport
import CBenchmarkIO
import Foundation

/// Runs every scenario against both servers in turn, and compares with the goals.
struct Measurements {
    static let idleConnections = 10_000
    private static let pairs = 64

    let ours: ServerCommand
    let peer: ServerCommand
    let serverCore: Int32
    let rounds: Int
    let seconds: Double
    let disturbance = Disturbance()

    private var warmUp: Double { seconds / 4 }

    // MARK: Throughput

    private struct Load {
        let window: Int
        let frameBytes: Int
        let leastRatio: Double?
        let leastRate: Double?

        static let all = [
            Load(window: 1, frameBytes: 256, leastRatio: 1.4, leastRate: nil),
            Load(window: 4, frameBytes: 256, leastRatio: 3.5, leastRate: nil),
            Load(window: 16, frameBytes: 256, leastRatio: 8, leastRate: 600_000),
            Load(window: 2, frameBytes: 65_536, leastRatio: nil, leastRate: 1),
        ]

        var isLarge: Bool { frameBytes > 4096 }
        var name: String {
            isLarge ? "64 KiB, W=\(window), GB per CPU-second" : "256 B, W=\(window), frames per CPU-second"
        }
        var goal: String {
            let parts = [
                leastRatio.map { "≥ \($0.text($0 < 8 ? 1 : 0))x" },
                leastRate.map { isLarge ? "≥ \($0.text()) GB" : "≥ \($0.text())" },
            ]
            return parts.compactMap { $0 }.joined(separator: ", ")
        }
    }

    func throughput() throws -> [Row] {
        var samples = [Samples](repeating: Samples(), count: Load.all.count)
        for round in 1...rounds {
            let servers = try (ServerProcess(ours, core: serverCore), ServerProcess(peer, core: serverCore))
            defer {
                servers.0.stop()
                servers.1.stop()
            }
            for (index, load) in Load.all.enumerated() {
                samples[index].ours.append(try measure(load, servers.0, round))
                samples[index].peer.append(try measure(load, servers.1, round))
            }
            try disturbance.add(servers.0)
            try disturbance.add(servers.1)
        }
        return zip(Load.all, samples).map { load, samples in
            let decimals = load.isLarge ? 2 : 0
            let isMet =
                (load.leastRatio.map { samples.ratio >= $0 } ?? true)
                && (load.leastRate.map { samples.ours.median >= $0 } ?? true)
            return Row(
                load.name,
                ours: samples.ours.median.text(decimals),
                peer: samples.peer.median.text(decimals),
                ratio: samples.ratio.text(1) + "x",
                goal: load.goal,
                isMet: isMet
            )
        }
    }

    private func measure(_ load: Load, _ server: ServerProcess, _ round: Int) throws -> Double {
        let scenario = ClosedLoop(pairs: Self.pairs, window: load.window, frameBytes: load.frameBytes)
        let result = try scenario.measure(server, warmUp: warmUp, seconds: seconds)
        let rate = result.framesPerProcessorSecond * (load.isLarge ? Double(load.frameBytes) / 1e9 : 1)
        say(
            "round \(round) \(server.name) \(load.name): \(rate.text(load.isLarge ? 2 : 0)); "
                + "server busy \(share(result.serverSeconds, result.seconds)), "
                + "load \(share(result.generatorSeconds, result.seconds))"
        )
        return rate
    }

    private func share(_ part: Double, _ whole: Double) -> String { "\((part / whole * 100).text()) %" }

    // MARK: Memory

    func memory() throws -> [Row] {
        var idle = Samples()
        var (grown, atOnce, kept) = (Samples(), Samples(), Samples())
        // Memory varies less than time: half the rounds do.
        for round in 1...max(1, rounds / 2) {
            for (command, path) in both {
                let bytes = try with(command) { try MemoryUse().idle($0, connections: Self.idleConnections) }
                idle[keyPath: path].append(bytes)
                let burst = try with(command) {
                    try MemoryUse().burst($0, connections: 4_000, frames: 16, frameBytes: 4096)
                }
                grown[keyPath: path].append(Double(burst.idle) / 1e6)
                atOnce[keyPath: path].append(Double(burst.atOnce) / 1e6)
                kept[keyPath: path].append(Double(burst.afterwards) / 1e6)
                say(
                    "round \(round) \(command.name) memory: \(bytes.text()) bytes per idle connection; bursts: "
                        + "\(burst.idle / 1_000_000) MB before, \(burst.atOnce / 1_000_000) at most, "
                        + "\(burst.afterwards / 1_000_000) afterwards"
                )
            }
        }
        return [
            row("bytes per idle connection, of 10,000", idle, goal: "≤ 4,000", isMet: idle.ours.median <= 4000),
            row("MB of 4,000 connections, idle", grown),
            row("… at most during 4-KiB bursts", atOnce),
            row("… 2 s after them", kept),
        ]
    }

    private func row(_ name: String, _ samples: Samples, goal: String = "", isMet: Bool? = nil) -> Row {
        Row(
            name,
            ours: samples.ours.median.text(),
            peer: samples.peer.median.text(),
            ratio: samples.ratio.text(2) + "x",
            goal: goal,
            isMet: isMet
        )
    }

    // MARK: Latency

    func latency() throws -> [Row] {
        let rates = try (halfLoad(of: ours), halfLoad(of: peer))
        var medians = Samples()
        var tails = Samples()
        for round in 1...rounds {
            for (command, path) in both {
                let loop = OpenLoop(
                    pairs: Self.pairs,
                    frameBytes: 256,
                    perSecond: path == \Samples.ours ? rates.0 : rates.1
                )
                let direct = try loop.measureDirectly(warmUp: warmUp, seconds: seconds)
                let relayed = try with(command) { try loop.measure($0, warmUp: warmUp, seconds: seconds) }
                medians[keyPath: path].append(relayed.median - direct.median)
                tails[keyPath: path].append(relayed.p99 - direct.p99)
                say(
                    "round \(round) \(command.name) at \(loop.perSecond.text()) frames/s: p50 \(relayed.median.text()) µs, "
                        + "p99 \(relayed.p99.text()) µs; without a server \(direct.median.text()) and \(direct.p99.text()) µs"
                )
            }
        }
        let load = "half load (\(rates.0.text()) and \(rates.1.text()) frames/s)"
        let best = (tails.ours.min() ?? .nan, tails.peer.min() ?? .nan)
        return [
            row("µs added at \(load), p50", medians),
            row("… p99", tails, goal: "< 1,000", isMet: tails.ours.median < 1000),
            // What other programs on the machine add is in every round, and least in the best.
            Row("… p99 of the best round", ours: best.0.text(), peer: best.1.text()),
        ]
    }

    /// Half of what a core forwards one by one, which is how frames come in an open loop.
    private func halfLoad(of command: ServerCommand) throws -> Double {
        let scenario = ClosedLoop(pairs: Self.pairs, window: 1, frameBytes: 256)
        let result = try with(command) { try scenario.measure($0, warmUp: warmUp, seconds: seconds) }
        return (result.framesPerProcessorSecond / 2 / 1000).rounded() * 1000
    }

    // MARK: Stalled readers

    /// What docs/protocol.md allows: what waits for readers, what is on its way to the disk twice, and a frame in arrival of each sender.
    private static let statedMegabytes = Double(96 + 2 * 32 + 1_000 / 8) * 1.048576

    func stalled() throws -> [Row] {
        let scenario = StalledReaders(
            healthyPairs: 16,
            healthyPerSecond: 4_000,
            crowdPairs: 1_000,
            crowdFrames: 24,
            crowdFrameBytes: 65_536,
            crowdPerSecond: 100
        )
        var reading = Samples()
        var stalled = Samples()
        var grown = Samples()
        for round in 1...rounds {
            for (command, path) in both {
                let results = try [true, false].map { readersRead in
                    try with(command) {
                        try scenario.measure($0, readersRead: readersRead, warmUp: warmUp, seconds: seconds * 3)
                    }
                }
                reading[keyPath: path].append(results[0].healthy.p99)
                stalled[keyPath: path].append(results[1].healthy.p99)
                grown[keyPath: path].append(Double(results[1].grownBytes) / 1e6)
                say(
                    "round \(round) \(command.name) healthy p99: \(results[0].healthy.p99.text()) µs while all read, "
                        + "\(results[1].healthy.p99.text()) µs beside 1,000 stalled readers; "
                        + "server grew \(results[1].grownBytes / 1_000_000) MB, "
                        + "told \(results[1].toldSenders) senders"
                )
            }
        }
        let worse = stalled.ours.median / reading.ours.median
        let peerWorse = stalled.peer.median / reading.peer.median
        return [
            row("healthy pairs' p99, µs, all read", reading),
            row("… beside 1,000 stalled readers", stalled),
            Row(
                "… the best rounds",
                ours: "\((reading.ours.min() ?? .nan).text()) → \((stalled.ours.min() ?? .nan).text())",
                peer: "\((reading.peer.min() ?? .nan).text()) → \((stalled.peer.min() ?? .nan).text())"
            ),
            Row(
                "… stalled over reading",
                ours: worse.text(2) + "x",
                peer: peerWorse.text(2) + "x",
                goal: "≤ 1.10x",
                isMet: worse <= 1.1
            ),
            Row(
                "MB the server grew by meanwhile",
                ours: grown.ours.median.text(),
                peer: grown.peer.median.text(),
                goal: "≤ \(Self.statedMegabytes.text())",
                isMet: grown.ours.median <= Self.statedMegabytes
            ),
        ]
    }

    // MARK: Both servers

    private var both: [(ServerCommand, WritableKeyPath<Samples, [Double]>)] {
        [(ours, \Samples.ours), (peer, \Samples.peer)]
    }

    private func with<Value>(_ command: ServerCommand, _ body: (ServerProcess) throws -> Value) throws -> Value {
        let server = try ServerProcess(command, core: serverCore)
        defer { server.stop() }
        let value = try body(server)
        try disturbance.add(server)
        return value
    }

    private func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
