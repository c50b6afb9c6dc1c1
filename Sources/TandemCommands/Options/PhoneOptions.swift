import ArgumentParser
import Foundation
import Kernel
import Logging
import Notifications
import TandemPhone

/// The options of a phone without a screen.
struct PhoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The hub where computers are met that did not say where they are. Default: none.",
            valueName: "url"
        )
    )
    var hub: String?

    @Option(help: "What computers show. Default: this machine's name and \"phone\".") var name: String?

    @Flag(help: "Do not look for computers on the local network.") var noDiscovery = false

    @OptionGroup var page: PageOptions

    @Flag(help: "Use a ws:// hub on the internet too, without encryption on the way: who talks to whom is seen there.")
    var allowPlain = false

    func phone(
        folder: StateFolder,
        settings: Settings,
        presenter: any NotificationPresenter,
        restart: ProgramRestart? = nil,
        logger: Logger
    ) throws -> Phone {
        let values = try values(settings)
        try settings.refuseMistakes()
        return try PhoneCommand.phone(
            folder: folder,
            name: values.name,
            hub: values.hub,
            browser: values.discovers ? Live.browser() : nil,
            presenter: presenter,
            restart: restart,
            logger: logger
        )
    }

    /// The values of this phone from the settings, without starting anything.
    func values(_ settings: Settings) throws -> (name: String, hub: URL?, discovers: Bool) {
        _ = try page.values(settings, for: .phone)
        return (
            name: settings.deviceName(name, default: "\(Live.machineName) phone"),
            hub: try settings.hubURL(hub, allowsPlain: settings.flag(allowPlain, "allowPlain")),
            discovers: !settings.flag(noDiscovery, "noDiscovery")
        )
    }
}
