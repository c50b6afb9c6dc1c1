import ArgumentParser

/// A load of conversations for a hub and for XMPP servers alike, from one thread with raw sockets. `bin/benchmark chat` starts the servers and calls
/// it round by round.
@main
struct ChatBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat-benchmark",
        abstract: "Measures servers of conversations between two people, on this machine's loopback.",
        subcommands: [LoadCommand.self, AskCommand.self, IdleCommand.self]
    )
}
