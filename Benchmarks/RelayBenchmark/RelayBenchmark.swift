import ArgumentParser
import BenchmarkReport
import CBenchmarkIO
import Foundation

/// Measures a relay beside a small one on Node, in alternating rounds, and prints the ratios.
@main
struct RelayBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay-benchmark",
        abstract: "Measures a relay beside one on Node, on this machine's loopback.",
        discussion: """
            Example: relay-benchmark --node-relay Benchmarks/node-relay.js -- \
            tandem hub --listen 127.0.0.1:0 --json --state {state}
            The server must print {"port":N} and have no rate limits. {state} stands for a fresh folder.
            """
    )

    @Option(help: "Alternating rounds of each measurement; medians are printed.")
    var rounds = 5

    @Option(help: "Seconds of each measurement, after a warm-up of a fourth of it.")
    var seconds = 3.0

    @Option(help: ArgumentHelp("The script of the Node relay.", valueName: "file"))
    var nodeRelay = "Benchmarks/node-relay.js"

    @Option(help: "The Node to run it with.")
    var node = "/usr/bin/node"

    @Option(help: "Measure only these: throughput, memory, latency, stalled.")
    var only: [Section] = []

    @Argument(
        help: "The server to measure, with its arguments. Left out: the Node relay beside itself, to test the load."
    )
    var server: [String] = []

    enum Section: String, CaseIterable, ExpressibleByArgument {
        case throughput, memory, latency, stalled
    }

    func validate() throws {
        guard (1...50).contains(rounds) else { throw ValidationError("--rounds must be from 1 to 50, not \(rounds).") }
        guard (0.5...60).contains(seconds) else {
            throw ValidationError("--seconds must be from 0.5 to 60, not \(seconds).")
        }
    }

    func run() throws {
        let serverCore = benchmark_core(0)
        let ownCore = benchmark_core(1)
        guard serverCore >= 0, ownCore >= 0 else { throw BenchmarkError.noSecondCore }
        let files = benchmark_raise_file_limit()
        guard files >= Measurements.idleConnections + 200 else {
            throw BenchmarkError.tooFewFiles(needed: Measurements.idleConnections + 200, granted: files)
        }
        guard benchmark_pin(ownCore) == 0 else { throw Client.failure("sched_setaffinity") }
        let peer = ServerCommand(name: "Node", words: [node, nodeRelay])
        let ours = ServerCommand(name: "Tandem", words: server.isEmpty ? peer.words : server)
        let measurements = Measurements(
            ours: ours,
            peer: peer,
            serverCore: serverCore,
            rounds: rounds,
            seconds: seconds
        )
        let sections = only.isEmpty ? Section.allCases : only
        var rows: [Row] = []
        for section in sections {
            switch section {
            case .throughput: rows += try measurements.throughput()
            case .memory: rows += try measurements.memory()
            case .latency: rows += try measurements.latency()
            case .stalled: rows += try measurements.stalled()
            }
        }
        print(Row.table(rows, peer: "Node"))
        print("\n" + measurements.disturbance.sentence)
    }
}
