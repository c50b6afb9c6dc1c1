import ArgumentParser
import Control
import Foundation
import Kernel
import Pairing
import TandemDesktop

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
        let control = desktop.control
        try await Roles.run(
            [desktop, ControlServer(folder: folder, handler: control, logger: logger)],
            announcing: { [json = global.json] in
                try Output.text(of: try await control.call(.status), as: json) { (status: DesktopStatus) in
                    "\(status.name) is ready on port \(status.port). Pair a phone with: tandem pair show"
                }
            },
            reloading: { try desktop.reloadCertificates() },
            logger: logger
        )
    }
}
