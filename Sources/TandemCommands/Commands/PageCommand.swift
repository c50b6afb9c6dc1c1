import ArgumentParser
import Control
import Foundation
import Kernel
import TandemWeb

struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "See a running role in a browser on this machine.",
        discussion: """
            The link signs one browser in, once and within two minutes; the browser stays signed in for thirty days.
            From another machine go through SSH: ssh -L 8700:127.0.0.1:8700 HOST, then open the link there.
            """,
        subcommands: [Link.self, SignOut.self],
        defaultSubcommand: Link.self
    )

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link that signs one browser in."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions
        @Flag(help: "Open it in this desktop's browser, too.") var open = false

        func run() async throws {
            let role = try await side.role(among: [.desktop, .phone, .hub], global)
            let link = try await global.client(for: role).call(PageControl.link, NoControlParameters())
            if open { try await Browser.open(link.url) }
            try Output.result(try JSONValue(encoding: link), as: global.json) { (link: PageControl.Link) in
                let missing =
                    link.files ? "" : "\nThe page's files are not installed: run bin/install, or set TANDEM_PAGE_FILES."
                return link.url + missing
            }
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "Sign every browser out, and end what they have open."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var side: RoleOptions

        func run() async throws {
            let role = try await side.role(among: [.desktop, .phone, .hub], global)
            try await global.show(PageControl.signOut, of: role) { answer in
                switch answer.browsers {
                case 0: "No browser was signed in. Links that were not used are void."
                case 1: "One browser was signed out."
                default: "\(answer.browsers) browsers were signed out."
                }
            }
        }
    }
}

/// The browser of the desktop that a command is typed on.
enum Browser {
    /// - Throws: ``BrowserError``.
    static func open(_ link: String) async throws {
        let environment = Running.console.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw BrowserError.noDisplay(link: link)
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let programs = folders.map { "\($0)/xdg-open" }
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw BrowserError.noProgram(link: link)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [link]
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            // It hands the link to a browser and ends; a browser that it starts itself goes on without this command.
            try process.run()
        } catch {
            throw BrowserError.noProgram(link: link)
        }
    }
}

/// Why no browser was opened. The description is shown to the person, with the link that it can be done with by hand.
enum BrowserError: Error, Hashable, CustomStringConvertible {
    case noDisplay(link: String)
    case noProgram(link: String)

    var description: String {
        switch self {
        case .noDisplay(let link):
            "There is no desktop here: neither WAYLAND_DISPLAY nor DISPLAY is set. Open the link yourself: \(link)"
        case .noProgram(let link):
            "Opening a browser needs the program xdg-open (package xdg-utils). Open the link yourself: \(link)"
        }
    }
}
