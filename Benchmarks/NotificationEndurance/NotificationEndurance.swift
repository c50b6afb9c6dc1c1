import ArgumentParser

/// What `bin/endure-notifications` starts: the simulation, and a phone whose screen can be read by a script.
@main
struct NotificationEndurance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification-endurance",
        abstract: "Tries whether each notification is shown exactly once, whatever ends in between.",
        subcommands: [Simulated.self, ScreenPhone.self]
    )
}
