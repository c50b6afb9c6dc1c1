import ArgumentParser
import Control
import Foundation
import Kernel
import Pairing
import TandemDesktop
import TandemWeb

struct DesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop",
        abstract: "Run this computer's side: paired phones reach it over the LAN, and over a hub where one is given."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var options: DesktopOptions

    func run() async throws {
        Live.prepareForTransfers()
        let folder = try global.folder(role: .desktop)
        let settings = try Settings(folder: folder)
        let logger = log.logger("tandem.desktop", settings)
        let desktop = try options.desktop(folder: folder, settings: settings, logger: logger)
        let lastRun = LastRun(in: folder, at: Date())
        let page = try Pages.page(
            of: desktop,
            options.page.values(settings, for: .desktop),
            after: lastRun,
            logger: logger
        )
        let control = page.table
        try await Roles.run(
            [desktop, ControlServer(folder: folder, handler: control, logger: logger), page],
            after: lastRun,
            announcing: { [json = global.json] in
                let wire = try await Pages.adding([page], to: control.call(.status))
                return try Output.text(of: wire, as: json) { (status: DesktopStatus) in
                    "\(status.name) is ready on port \(status.port). Pair a phone with: tandem pair show"
                        + Pages.line(wire, of: .desktop)
                }
            },
            reloading: { try desktop.reloadCertificates() },
            logger: logger
        )
    }
}
