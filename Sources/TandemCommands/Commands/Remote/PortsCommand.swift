import ArgumentParser
import Control
import Foundation
import Kernel
import PortForwarding
import PortForwardingHost

/// `tandem ports`: ports of a computer on its phones.
struct PortsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ports",
        abstract: "Open ports of a computer, such as a development server's, on its phones.",
        discussion: """
            At the computer:  tandem ports allow 3000 --name "Dev server"
            At the phone:     tandem ports forward 3000
            Or open it in a browser from the phone's page. The phone needs the right, too:
            tandem devices allow <phone> ports.open
            """,
        subcommands: [List.self, Allow.self, Deny.self, Found.self, Open.self, Forward.self, Close.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the ports that phones may open here, or that a computer lets this phone open."
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @OptionGroup var target: ComputerOptions

        func run() async throws {
            switch try await side.role(among: [.desktop, .phone], global) {
            case .phone:
                let choice = PortsControl.Computer(device: target.computer)
                try await global.show(PortsControl.remote, choice, of: .phone) { PortsCommand.text($0) }
            default:
                guard target.computer == nil else {
                    throw ValidationError("A computer lists its own ports: --computer is for --role phone.")
                }
                try await global.show(PortsHostControl.list, of: .desktop) { PortsCommand.text($0) }
            }
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let phones open a port of this computer.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The port, 1 to 65535.") var port: Int
        @Option(help: ArgumentHelp("For this phone alone. Default: all that may open ports.", valueName: "name"))
        var phone: String?
        @Option(help: ArgumentHelp("The name that phones show for it.", valueName: "name")) var name: String?

        func run() async throws {
            let allow = PortsHostControl.Allow(port: port, phone: phone, name: name)
            try await global.show(PortsHostControl.allow, allow, of: .desktop) { list in
                let hint =
                    list.phones.isEmpty
                    ? "\nNo phone may open ports yet. Allow one: tandem devices allow <phone> ports.open" : ""
                return PortsCommand.text(list) + hint
            }
        }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a port off the list. What phones have open there ends at once."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The port.") var port: Int
        @Option(help: ArgumentHelp("Only what was said for this phone alone.", valueName: "name")) var phone: String?
        @Flag(help: "Only what was said for every phone; what was said for single ones stays.") var everyPhone = false

        func validate() throws {
            guard phone == nil || !everyPhone else {
                throw ValidationError("--phone names one phone, and --every-phone means none alone. Give one of them.")
            }
        }

        func run() async throws {
            let deny = PortsHostControl.Deny(port: port, phone: phone, everyPhone: everyPhone ? true : nil)
            try await global.show(PortsHostControl.deny, deny, of: .desktop) { PortsCommand.text($0) }
        }
    }

    struct Found: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the ports on which programs of yours listen on this computer."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(PortsHostControl.found, of: .desktop) { found in
                guard !found.ports.isEmpty else { return "No program of yours listens on a port here." }
                return Output.table(
                    ["PORT", "PROGRAM"],
                    found.ports.map { ["\($0.port)", TerminalText.line($0.program ?? "")] }
                )
            }
        }
    }

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link that opens a port of a computer in one browser of this machine.",
            discussion: "The link is good once, for a minute. Browsers that were let in stay until: tandem ports close"
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var target: ComputerOptions
        @Argument(help: "The computer's port.") var port: Int

        func run() async throws {
            let enter = PortsControl.Enter(device: target.computer, port: port)
            try await global.show(PortsControl.enter, enter, of: .phone) { $0.url ?? "" }
        }
    }

    struct Forward: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lead a port of this machine to one of a computer, until Ctrl-C.",
            discussion: """
                Any protocol over TCP goes through. Any program of this machine may connect while the command runs,
                of any user; nothing outside of this machine can.
                """
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var target: ComputerOptions
        @Argument(help: "The computer's port.") var port: Int
        @Option(help: ArgumentHelp("The port of this machine. Default: any that is free.", valueName: "port"))
        var listen: Int = 0

        func validate() throws {
            guard (0...65535).contains(listen) else {
                throw ValidationError("--listen is a port, 0 to 65535, not \(listen).")
            }
        }

        func run() async throws {
            let forward = PortsControl.Forward(device: target.computer, port: port, listen: listen)
            let ended = try await global.client(for: .phone).call(PortsControl.forward, forward) { item in
                guard !global.json else { return try Output.json(try JSONValue(encoding: item)) }
                try Output.result("\(item.host):\(item.port) leads to the computer's port \(port).")
                Output.complain("Any program of this machine may connect. It ends with Ctrl-C.")
            }
            throw CommandError.empty(ended.reason)
        }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close what leads from this machine to a port of a computer."
        )
        @OptionGroup var global: GlobalOptions
        @OptionGroup var target: ComputerOptions
        @Argument(help: "The computer's port.") var port: Int

        func run() async throws {
            let choice = PortsControl.Choice(device: target.computer, port: port)
            try await global.show(PortsControl.close, choice, of: .phone) { closed in
                closed.count == 0 ? "Nothing led to it." : "Closed."
            }
        }
    }

    static func text(_ list: PortsHostControl.List) -> String {
        guard !list.ports.isEmpty else {
            return "Phones may open no port of this computer. List one with: tandem ports allow <port>"
        }
        return Output.table(
            ["PORT", "NAME", "PHONE", "OPEN"],
            list.ports.map { port in
                let open = list.open.filter { $0.port == port.port && (port.phone == nil || port.phone == $0.phone) }
                let count = open.reduce(0) { $0 + $1.connections }
                return [
                    "\(port.port)", TerminalText.line(port.name),
                    port.phone == nil ? "every phone" : TerminalText.line(port.phoneName ?? ""),
                    count == 0 ? "" : count == 1 ? "1 connection" : "\(count) connections",
                ]
            }
        )
    }

    static func text(_ remote: PortsControl.Remote) -> String {
        guard !remote.ports.isEmpty else {
            return "The computer lets this phone open no port. At the computer: tandem ports allow <port>"
        }
        return Output.table(
            ["PORT", "NAME", "THERE", "HERE"],
            remote.ports.map { port in
                let here = remote.open.filter { $0.port == port.port }.map { $0.origin ?? "127.0.0.1:\($0.local)" }
                let there = port.listening.map { $0 ? "listens" : "nothing listens" } ?? ""
                return ["\(port.port)", TerminalText.line(port.name), there, here.joined(separator: " ")]
            }
        )
    }
}
