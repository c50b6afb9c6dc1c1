import ArgumentParser
import Notifications

/// The options of every command that asks for notifications.
struct NotificationOptions: ParsableArguments {
    @OptionGroup var shared: SideOptions

    var global: GlobalOptions { shared.global }

    func peer() async throws -> ControlPeer {
        try await shared.peer(NotificationsControl.call, own: "A computer has its own notifications")
    }

    /// Asks and prints the answer.
    ///
    /// - Parameter refusal: Why nothing was done, for an answer that says so.
    func show<Answer>(
        _ ask: (NotificationCommands) async throws -> Answer,
        refusal: (Answer) -> String? = { _ in nil },
        _ lines: (Answer) throws -> String
    ) async throws {
        try await shared.show(
            try await peer(),
            { try await ask(NotificationCommands($0)) },
            refusal: refusal,
            lines
        )
    }
}
