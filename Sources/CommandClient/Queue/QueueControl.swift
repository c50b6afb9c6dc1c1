package import Control
package import Foundation
package import Kernel

/// The control methods of a phone about waiting commands, for commands and pages. The members' names are those that `--json` prints.
package enum QueueControl {
    package static let list = ControlMethod<NoControlParameters, CommandList>(
        "queue.list",
        summary: "The commands that wait on this phone for their computers, oldest first."
    )
    package static let remove = ControlMethod<CommandChoice, OfflineCommand.Summary>(
        "queue.remove",
        summary: "Take a waiting command out."
    )
    package static let retry = ControlMethod<CommandChoice, OfflineCommand.Summary>(
        "queue.retry",
        summary: "Try a failed command again."
    )
    package static let clear = ControlMethod<ComputerChoice, Removed>(
        "queue.clear",
        summary: "Take all waiting commands out, or those for one computer."
    )
    package static let call = ControlMethod<MethodCall, Outcome>(
        "queue.call",
        summary: "Call a method once, now or when the computer is there."
    )

    package struct CommandChoice: Codable, Hashable, Sendable {
        package var id: String

        package init(_ id: String) { self.id = id }

        /// - Throws: `ControlError/badParameter(name:expected:)`.
        package func uuid() throws(ControlError) -> UUID {
            guard let id = UUID(uuidString: id) else {
                throw .badParameter(name: "id", expected: "an id from: tandem queue list")
            }
            return id
        }
    }

    package struct CommandList: Codable, Hashable, Sendable {
        package var commands: [OfflineCommand.Summary]

        package init(_ commands: [OfflineCommand]) { self.commands = commands.map(\.summary) }
    }

    package struct Removed: Codable, Hashable, Sendable {
        package var removed: Int

        package init(_ removed: Int) { self.removed = removed }
    }

    /// The outcome of a queued call within the asker's time.
    package struct Outcome: Codable, Hashable, Sendable {
        /// Whether it waits.
        package var queued: Bool
        package var command: OfflineCommand.Summary?
        /// The command that had to make room in a full queue, and will not be done.
        package var evicted: OfflineCommand.Summary?
        /// The computer's answer, when it does not wait.
        package var result: JSONValue?

        package init(_ queued: QueuedCommand) {
            self.queued = true
            command = queued.command.summary
            evicted = queued.evicted?.summary
        }

        package init(result: JSONValue) {
            queued = false
            self.result = result
        }
    }
}
