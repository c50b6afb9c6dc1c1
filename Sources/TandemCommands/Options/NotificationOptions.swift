import ArgumentParser
import Notifications

/// What every command takes that asks for notifications.
struct NotificationOptions: ParsableArguments {
    @OptionGroup var shared: SideOptions

    var global: GlobalOptions { shared.global }

    func peer() async throws -> SidePeer {
        try await shared.peer(NotificationsControl.call, own: "A computer has its own notifications")
    }

    /// Asks and prints the answer.
    func show<Answer>(
        _ ask: (NotificationCommands) async throws -> Answer,
        _ lines: (Answer) throws -> String
    ) async throws {
        try await shared.show(try await peer(), { try await ask(NotificationCommands($0)) }, lines)
    }
}
