import ArgumentParser
import Control
import Foundation
import Kernel
import Logging
import Pairing
import TandemPhone

struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Run a phone without a screen: what an app does with the library TandemPhone."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var log: LogOptions
    @Option(help: ArgumentHelp("The hub where computers are met that did not say where they are.", valueName: "url"))
    var hub: String?
    @Option(help: "What computers show. Default: this machine's name and \"phone\".") var name: String?
    @Flag(help: "Do not look for computers on the local network.") var noDiscovery = false

    func run() async throws {
        Live.prepareForTransfers()
        let folder = try global.folder(role: .phone)
        let settings = try await Settings(folder: folder)
        let logger = log.logger("tandem.phone")
        let phone = try Self.phone(
            folder: folder,
            name: settings.text(name, "name"),
            hub: try settings.signalingURL(hub, "hub"),
            discovers: !settings.flag(noDiscovery, "noDiscovery"),
            logger: logger
        )
        let control = PhoneControl(phone: phone)
        try await Roles.run(
            [phone, ControlServer(folder: folder, handler: control, logger: logger)],
            announcing: { try await control.handle(.init(id: 0, method: "status"), report: { _ in }) },
            as: global.json,
            logger: logger
        ) { status in
            "\(status["name"]?.stringValue ?? "The phone") is ready. Pair it with a computer's code: tandem pair scan --image FILE"
        }
    }

    static func phone(folder: StateFolder, name: String?, hub: URL?, discovers: Bool, logger: Logger) throws -> Phone {
        try Phone(
            folder: folder,
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: name ?? "\(Live.machineName) phone", platform: Live.platform),
                version: TandemVersion.current,
                hubURL: hub,
                browser: discovers ? Live.browser() : nil
            ),
            logger: logger
        )
    }
}
