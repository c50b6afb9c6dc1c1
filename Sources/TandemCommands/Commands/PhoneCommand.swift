import ArgumentParser
import Control
import Foundation
import Journal
import Kernel
import Logging
import MigrationClient
import Notifications
import Pairing
import TandemPhone
import TandemWeb
import Transport

struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Run a phone without a screen: what an app does with the library TandemPhone."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var options: PhoneOptions

    func run() async throws {
        Live.prepareForTransfers()
        let folder = try global.folder(role: .phone)
        let settings = try Settings(folder: folder)
        let logger = log.logger("tandem.phone", settings)
        let restart = ProgramRestart.ofThisProgram()
        let phone = try options.phone(
            folder: folder,
            settings: settings,
            presenter: Live.presenter(printing: !global.json),
            restart: restart,
            logger: logger
        )
        let lastRun = LastRun(in: folder, at: Date())
        let page = try Pages.page(
            of: phone,
            options.page.values(settings, for: .phone),
            after: lastRun,
            logger: logger
        )
        let control = page.table
        try await Roles.run(
            [phone, ControlServer(folder: folder, handler: control, logger: logger), page],
            after: lastRun,
            restarting: restart,
            announcing: { [json = global.json] in
                let wire = try await Pages.adding([page], to: control.call(.status))
                return try Output.text(of: wire, as: json) { (status: PhoneStatus) in
                    "\(status.name) is ready. Pair it with a computer's code: tandem pair scan --image FILE"
                        + Pages.line(wire, of: .phone)
                }
            },
            logger: logger
        )
    }

    /// - Parameter restart: By which the phone's program starts again by itself; nil in a process that has more than this phone, or is not its own.
    static func phone(
        folder: StateFolder,
        name: String?,
        hub: URL?,
        browser: (any ServiceBrowser)?,
        presenter: any NotificationPresenter = FollowedPresenter(),
        restart: ProgramRestart? = nil,
        logger: Logger
    ) throws -> Phone {
        // Before anything of the state is open: the data that was restored, or gone back to.
        try MigrationStart.settle(folder)
        let moving = MigratingPhone()
        let phone = try Phone(
            folder: folder,
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: name ?? "\(Live.machineName) phone", platform: Live.platform),
                version: TandemVersion.current,
                hubURL: hub,
                browser: browser,
                network: Live.network(),
                features: .standard(presenter: presenter) + [
                    Live.chat(of: name), JournalFeature.maker(pictures: Live.pictures),
                    MigrationFeature.maker(
                        of: moving,
                        startingAgain: restart.map { restart in StartAgain { restart.ask() } }
                    ),
                ]
            ),
            logger: logger
        )
        moving.open(phone)
        return phone
    }
}
