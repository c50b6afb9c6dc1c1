import ArgumentParser
import CBenchmarkIO
import Foundation

/// One measurement of one server, printed as JSON.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Pairs of people write to each other; prints how fast, and how long it took."
    )

    @Argument(help: "The server's protocol: hub or xmpp.") var dialect: DialectName
    @Option(help: "The server's port on 127.0.0.1.") var port: UInt16
    @Option(help: "A JSON file of people.") var people: String
    @Option(help: "Pairs.") var pairs = 50
    @Option(help: "Messages under way for each pair. Not with --per-second.") var window = 8
    @Option(help: "Messages a second of all pairs, by the clock.") var perSecond: Double?
    @Option(help: "Seconds that count, after a warm-up of a fourth of them.") var seconds = 8.0
    @Option(help: "The server's processes, whose processor time is counted with that of what they started.")
    var process: [Int32] = []

    func run() throws {
        let run = try LoadRun(
            dialect,
            port: port,
            people: Person.all(in: people),
            pairs: pairs,
            run: String(UInt64.random(in: 0...UInt64.max), radix: 36)
        )
        let tree = ProcessTree(roots: process)
        try go(run, seconds / 4)
        run.count()
        let before = (try tree.processorSeconds(), run.delivered, benchmark_nanoseconds())
        try go(run, seconds)
        let processor = try tree.processorSeconds() - before.0
        let delivered = run.delivered - before.1
        let passed = Double(benchmark_nanoseconds() - before.2) / 1e9
        let resident = try tree.residentBytes()
        try run.drain(seconds: 10)
        let result = LoadResult(
            perSecond: Double(delivered) / passed,
            acknowledgedMedian: run.acknowledgements.milliseconds(0.5),
            acknowledgedTail: run.acknowledgements.milliseconds(0.99),
            deliveredMedian: run.deliveries.milliseconds(0.5),
            deliveredTail: run.deliveries.milliseconds(0.99),
            processorPerThousand: delivered > 0 ? processor / Double(delivered) * 1000 : nil,
            residentBytes: resident,
            missing: run.sent - run.delivered,
            misplaced: run.misplaced
        )
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }

    private func go(_ run: LoadRun, _ seconds: Double) throws {
        if let perSecond {
            try run.open(perSecond: perSecond, seconds: seconds)
        } else {
            try run.closed(window: window, seconds: seconds)
        }
    }
}

/// What one measurement found. Times are milliseconds.
struct LoadResult: Codable {
    let perSecond: Double
    let acknowledgedMedian: Double?
    let acknowledgedTail: Double?
    let deliveredMedian: Double?
    let deliveredTail: Double?
    /// Seconds of the server's processor time for a thousand messages.
    let processorPerThousand: Double?
    let residentBytes: Int
    /// Sent and not arrived 10 s after the end.
    let missing: Int
    let misplaced: Int
}
