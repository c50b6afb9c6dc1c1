import ArgumentParser
import Capabilities
import Control
import Foundation
import Kernel
import Pairing
import ServiceLifecycle
import TandemDesktop
import TandemPhone
import TandemWeb

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Run a hub and this computer in one process, with one listener for both, and show the code to pair a phone."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var options: DesktopOptions
    @Flag(help: "Run a phone too, with a state folder of its own, to try things with.") var withPhone = false

    func run() async throws {
        Live.prepareForTransfers()
        let folder = try global.folder(role: .desktop)
        let settings = try Settings(folder: folder)
        let logger = log.logger("tandem", settings)
        let withPhone = runsPhone(settings)
        guard !settings.flag(options.yes, "yes") else {
            throw ValidationError(
                "up keeps a code on the screen, and --yes would let in everybody who reads or guesses it. Use: tandem "
                    + "desktop --yes, and show a code when one is needed: tandem pair show"
            )
        }
        let desktop = try options.desktop(
            folder: folder,
            settings: settings,
            serving: Live.hubFeatures,
            logger: logger
        )
        let pageValues = try options.page.values(settings, for: .desktop)
        let lastRun = LastRun(in: folder, at: Date())
        let page = try Pages.page(of: desktop, pageValues, after: lastRun, logger: logger)
        var pages = [(page: page, role: Role.desktop)]
        let control = page.table
        var services: [any Service] = [
            desktop, ControlServer(folder: folder, handler: control, logger: logger), page,
        ]
        if withPhone {
            let folder = try phoneFolder(beside: folder)
            let phone = try PhoneCommand.phone(
                folder: folder,
                name: nil,
                hub: nil,
                browser: NeighbourBrowser(
                    desktop: desktop,
                    network: settings.flag(options.noDiscovery, "noDiscovery") ? nil : Live.browser()
                ),
                logger: logger
            )
            let page = try Pages.page(of: phone, pageValues.besides(), logger: logger)
            pages.append((page, .phone))
            services += [phone, ControlServer(folder: folder, handler: page.table, logger: logger), page]
        }
        let isJSON = global.json
        let shownPages = pages
        if !isJSON {
            services.append(PairingDesk(control: control, pages: shownPages))
            services.append(RightDesk(desktop: desktop, control: control))
        }
        try await Roles.run(
            services,
            after: lastRun,
            announcing: {
                var status = try await Pages.adding([page], to: control.call(.status))
                if isJSON {
                    let code = try await control.call(PairingControl.show.asWire, ShowCode())
                    status = status.adding("pairing", code)
                }
                return try Output.text(of: status, as: isJSON) { (status: DesktopStatus) in
                    "\(status.name) listens on port \(status.port)."
                }
            },
            reloading: { try desktop.reloadCertificates() },
            logger: logger
        )
    }

    func runsPhone(_ settings: Settings) -> Bool { settings.flag(withPhone, "withPhone") }

    /// The phone's state folder: with `--state` it is inside that folder, so that one path holds all of a trial.
    private func phoneFolder(beside folder: StateFolder) throws -> StateFolder {
        guard global.chosenState() != nil else {
            return try StateFolder(
                StateFolder.defaultURL(role: Role.phone.rawValue, environment: Running.console.environment)
            )
        }
        return try StateFolder(folder.url.appending(path: "phone"))
    }
}

/// The code on the terminal of `tandem up`, and the questions about who comes with it, for as long as it runs.
private struct PairingDesk: Service {
    let control: ControlTable
    let pages: [(page: Page, role: Role)]

    func run() async throws {
        let isAsking = PairingConsole.canAsk
        let hasLinks = LatestValue(false)
        let console = PairingConsole(
            caller: control,
            role: .desktop,
            stays: isAsking,
            show: { shown in
                let size = isAsking ? Running.console.window() : nil
                try Output.result(try CodeOnTerminal.text(shown, role: .desktop, size: size))
                try Output.result(
                    isAsking
                        ? "For a new code with digits press return." : "A new one comes with: tandem pair show"
                )
                // Once: a new code is no reason for new links, and `tandem page` makes them.
                guard !hasLinks.value else { return }
                hasLinks.set(true)
                for (page, role) in pages {
                    let line = Pages.line(try await Pages.adding([page], to: [:]), of: role)
                    if !line.isEmpty { try Output.result(String(line.dropFirst())) }
                }
            }
        )
        do {
            try await cancelWhenGracefulShutdown {
                try await console.run(ShowCode(stay: true, renew: isAsking))
            }
        } catch is CancellationError {
            // The program ends.
        } catch is ConsoleError {
            // Nothing takes text here any more: a pipe's reader has gone, or a disk is full. That is no reason to leave
            // the phones that are connected; codes come with: tandem pair show
        } catch {
            Output.complain("No code is shown here any more. \(error)")
        }
        // Cancelled: the same end.
        try? await gracefulShutdown()
    }
}
