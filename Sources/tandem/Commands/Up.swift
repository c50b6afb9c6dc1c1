import ArgumentParser
import Control
import Foundation
import Kernel
import ServiceLifecycle
import TandemDesktop
import TandemPhone

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
        let settings = try await Settings(folder: folder)
        let logger = log.logger("tandem")
        let desktop = try options.desktop(folder: folder, settings: settings, logger: logger)
        let control = DesktopControl(desktop: desktop)
        var services: [any Service] = [desktop, ControlServer(folder: folder, handler: control, logger: logger)]
        if withPhone {
            let folder = try phoneFolder(beside: folder)
            let phone = try PhoneCommand.phone(
                folder: folder,
                name: nil,
                hub: nil,
                discovers: !settings.flag(options.noDiscovery, "noDiscovery"),
                logger: logger
            )
            services += [phone, ControlServer(folder: folder, handler: PhoneControl(phone: phone), logger: logger)]
        }
        try await Roles.run(
            services,
            announcing: {
                let status = try await control.handle(.init(id: 0, method: "status"), report: { _ in })
                let code = try await control.handle(.init(id: 0, method: "pair.show"), report: { _ in })
                return status.adding("pairing", code)
            },
            as: global.json,
            logger: logger
        ) { status in
            let payload = status["pairing"]?["payload"]?.stringValue ?? ""
            let digits = status["pairing"]?["code"]?.stringValue ?? ""
            let drawn = (try? Live.pictureMaker.terminal(payload)) ?? payload
            return """
                \(drawn)
                Scan this with the phone, or type there: \(PairingText.grouped(digits))
                It is good for five minutes; a new one comes with: tandem pair show
                \(status["name"]?.stringValue ?? "This computer") listens on port \(status["port"]?.integerValue ?? 0).
                """
        }
    }

    /// With `--state` the phone's folder is inside it, so that one path holds all of a trial.
    private func phoneFolder(beside folder: StateFolder) throws -> StateFolder {
        guard global.state != nil else {
            return try StateFolder(
                StateFolder.defaultURL(role: Role.phone.rawValue, environment: ProcessInfo.processInfo.environment)
            )
        }
        return try StateFolder(folder.url.appending(path: "phone"))
    }
}
