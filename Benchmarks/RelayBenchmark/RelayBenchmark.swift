import ArgumentParser

@main
struct RelayBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tandem-benchmark",
        abstract: "Measure the relay beside one written on node-ws, in one run.",
        subcommands: [Measure.self, Serve.self],
        defaultSubcommand: Measure.self
    )
}
