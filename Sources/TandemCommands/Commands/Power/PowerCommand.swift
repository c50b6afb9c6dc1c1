import ArgumentParser
import Commands
import Control
import Kernel
import Power

struct PowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Lock a paired computer, put it to sleep, and wake it.",
        discussion: "The computer must allow it first: tandem devices allow PHONE power",
        subcommands: [StatusCommand.self, Lock.self, Sleep.self, Wake.self],
        defaultSubcommand: StatusCommand.self
    )

    struct StatusCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "What the computer can do of it, and how it can be woken."
        )
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            try await remote.show({ try await PowerClient($0).status() }) { status in
                let lines = [
                    "Lock:   \(TerminalText.line(status.lockObstacle ?? "possible"))",
                    "Sleep:  \(TerminalText.line(status.sleepObstacle ?? "possible"))",
                    "Wake:   \(status.interfaces.isEmpty ? "no network card that could be woken" : "by its network card")",
                ]
                let cards = status.interfaces.map { card in
                    let listens = card.isWakeOn.map {
                        $0 ? "listens while it sleeps" : "does not listen while it sleeps"
                    }
                    return "        \(TerminalText.line(card.name))  \(card.address)  \(listens ?? "may listen")"
                }
                return (lines + cards).joined(separator: "\n")
            }
        }
    }

    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lock the screen of the computer's session.")
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            try await remote.show({ try await PowerClient($0).lock() }) { "The session was asked to lock its screen." }
        }
    }

    struct Sleep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put the computer to sleep. Its connections end, and a phone may not be able to wake it."
        )
        @OptionGroup var remote: RemoteOptions
        @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false

        func run() async throws {
            if !yes {
                guard Running.console.canAsk else { throw ValidationError("Nobody can be asked here: give --yes.") }
                Output.complain("Put the computer to sleep? What it serves, it serves no more. [y/N]")
                let answer = await StandardInput.line() ?? ""
                guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.declined }
            }
            try await remote.show({ try await PowerClient($0).sleep() }) { "It goes to sleep." }
        }
    }

    struct Wake: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have other paired computers send the packet that wakes one in their network.",
            discussion: """
                Without a name: list the computers whose network addresses this phone knows. Whether a computer woke is known only when it comes \
                back: its network card has to listen while it sleeps, and one of the others has to be in the same network and allow this phone: \
                tandem devices allow PHONE power.wake
                """
        )
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("The computer that sends the packet. Default: every other one.", valueName: "name"))
        var through: String?
        @Argument(help: "The name or id of the computer to wake.") var computer: String?

        func run() async throws {
            guard let computer else {
                return try await global.show(PowerControl.known, of: .phone) { list in
                    guard !list.computers.isEmpty else {
                        return "No computer told this phone its network addresses. It does once it allows: power"
                    }
                    return Output.table(
                        ["NAME", "LISTENS", "ADDRESSES", "TOLD"],
                        list.computers.map {
                            [
                                $0.name, $0.wakeOn.map { $0 ? "yes" : "no" } ?? "not known",
                                $0.addresses.joined(separator: ", "), Output.when($0.at),
                            ]
                        }
                    )
                }
            }
            let answer = try await global.client(for: .phone).call(
                PowerControl.wakeUp.asWire,
                WakeUp(device: computer, through: through)
            )
            let woken: WokenBy = try answer.controlAnswer()
            let isSent = woken.senders.contains { $0.packets > 0 }
            if isSent || global.json {
                try Output.result(answer, as: global.json) { (woken: WokenBy) in Self.lines(woken, computer) }
            }
            guard isSent else {
                let reasons = woken.senders.map {
                    "\(TerminalText.line($0.name)): \(TerminalText.line($0.reason ?? ""))"
                }
                throw CommandError.empty("No packet was sent.\n" + reasons.joined(separator: "\n"))
            }
        }

        private static func lines(_ woken: WokenBy, _ computer: String) -> String {
            let lines = woken.senders.map { sender in
                sender.packets > 0
                    ? "\(sender.name) sent the packet." : "\(sender.name) sent none: \(sender.reason ?? "")"
            }
            let name = TerminalText.line(computer)
            return (lines + ["Whether \(name) wakes is seen only when it comes back: tandem devices list"])
                .joined(separator: "\n")
        }
    }
}
