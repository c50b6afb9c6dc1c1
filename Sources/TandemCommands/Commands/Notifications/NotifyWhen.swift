import ArgumentParser
import Control
import Foundation
import Kernel
import LinuxTerminal
import Notifications

struct NotifyWhen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify-when",
        abstract: "Run a command, and tell your phones how it ended and how long it took.",
        discussion: """
            For example: tandem notify-when -- make test. The command has this terminal as if it were run without it, gets every signal, and its \
            exit status is this one's.

            The command is told with its arguments, so it stands in the history and on your phones, passwords in it as well. With --title the \
            title alone is told.
            """
    )

    /// The most seconds that telling may take in all: the command has ended, and its starter waits for its status.
    private static let patience = 10

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("What is told in place of the command and its arguments.", valueName: "text")) var title:
        String?
    @Option(help: ArgumentHelp("Replace what was told under this key before.", valueName: "text")) var key: String?
    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.") var command: [String] = []

    func validate() throws {
        if let title, title.allSatisfy(\.isWhitespace) || title.utf8.count > NotificationLimits.title {
            throw ValidationError("--title is 1 to \(NotificationLimits.title) bytes.")
        }
        if let key, key.isEmpty || key.utf8.count > NotificationLimits.name {
            throw ValidationError("--key is 1 to \(NotificationLimits.name) bytes.")
        }
    }

    func run() async throws {
        guard !command.isEmpty else {
            throw ValidationError("Say what to run, for example: tandem notify-when -- make")
        }
        let clock = ContinuousClock()
        let began = clock.now
        let ending: ForegroundProgram.Ending
        do {
            ending = try await ForegroundProgram.run(command)
        } catch {
            Output.complain("Error: \(error)")
            throw ExitCode(error.status)
        }
        let report = CommandReport(command: command, title: title, ending: ending, took: clock.now - began)
        do {
            try await tell(report)
        } catch {
            // The command's end is what counts; that nothing was told is said beside it.
            Output.complain("Nothing was told of its end: \(TerminalText.line("\(error)"))")
        }
        guard ending.status == 0 else { throw ExitCode(ending.status) }
    }

    private func tell(_ report: CommandReport) async throws {
        let peer = ControlPeer(
            global.client(for: .desktop),
            role: .desktop,
            computer: nil,
            timeout: Self.patience,
            calls: NotificationsControl.call,
            keeps: .none
        )
        let notification = report.notification(key: key)
        let silence = ControlError.notAnswering(folder: global.location(of: .desktop).path)
        let sent = try await withTimeout(.seconds(Self.patience), on: .system, throwing: silence) {
            try await NotificationCommands(peer).send(notification)
        }
        if let reason = sent.reason, sent.id == nil { throw CommandError.empty(reason) }
    }
}

/// How a command ended, as phones are told it.
struct CommandReport {
    let command: [String]
    let title: String?
    let ending: ForegroundProgram.Ending
    let took: Duration

    func notification(key: String?) -> NewNotification {
        let line = ShellWords.line(command)
        let spaced = String(line.map { $0.isNewline ? " " : $0 })
        let name = spaced.contains { !$0.isWhitespace } ? spaced : "Command"
        var data = ["duration": Self.seconds(took)]
        // Arguments can hold passwords: who gives a title tells nothing else.
        if title == nil { data["command"] = line.cut(to: NotificationLimits.dataValue) }
        switch ending {
        case .exited(let status): data["exit code"] = "\(status)"
        case .killed(let signal): data["signal"] = "\(signal)"
        }
        return NewNotification(
            title: title ?? name.cut(to: NotificationLimits.title),
            body: sentence,
            priority: ending.status == 0 ? .normal : .high,
            key: key,
            data: data
        )
    }

    var sentence: String {
        switch ending {
        case .exited(0): "Done after \(Self.words(took))."
        case .exited(let status): "Failed with status \(status) after \(Self.words(took))."
        case .killed(let signal): "Ended by signal \(signal) after \(Self.words(took))."
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        String(format: "%.1f s", Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
    }

    /// A duration in words for people: two units at most.
    static func words(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case ..<60: Self.seconds(duration)
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }
}
