import ArgumentParser
import Capabilities
import Control
import Foundation
import Kernel
import ServiceLifecycle
import SignalingServer
import TandemHub
import TandemWeb
import Transport

struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Run a hub, or look after one: where devices meet that share no network.",
        discussion: "The options of one that runs: tandem hub run --help",
        subcommands: [
            HubRunCommand.self, HubPeersCommand.self, HubDevicesCommand.self, HubNameCommand.self, HubKickCommand.self,
            HubReleaseCommand.self,
            HubLoadCommand.self, HubLimitsCommand.self, HubInviteCommand.self, HubInvitationsCommand.self,
            HubUsersCommand.self, HubModerateCommand.self, HubMessagesCommand.self, HubBackupCommand.self,
        ],
        defaultSubcommand: HubRunCommand.self
    )
}

struct HubRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a hub. It sees who, when and how much, never what.",
        discussion: """
            Every limit is a setting too: tandem hub limits
            A TURN server for calls is named in the environment: TANDEM_TURN_HOST with TANDEM_TURN_SECRET, or with \
            TANDEM_TURN_SECRET_FILE naming a file that holds the secret (coturn's static-auth-secret).
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var certificates: CertificateOptions
    @OptionGroup var page: PageOptions

    @Option(
        help: ArgumentHelp(
            "The name by which devices reach this hub, as in --server-name; may be repeated.",
            valueName: "host[:port]"
        )
    )
    var name: [String] = []

    func run() async throws {
        let folder = try global.folder(role: .hub)
        let settings = try Settings(folder: folder)
        let logger = log.logger("tandem.hub", settings)
        let (configuration, certificate) = try server.hubConfiguration(
            settings,
            names: name,
            certificates: certificates,
            in: folder
        )
        let metrics = settings.flag(server.metrics, "metrics") ? Live.metrics() : nil
        let pageValues = try page.values(settings, for: .hub)
        let featureSettings = settings.of(Live.hubFeatures.map(\.manifest))
        try settings.refuseMistakes()
        let account = try certificate.map { try HubCertificateAccount($0, in: folder, logger: logger) }
        try await account?.checkAgreement()
        var made: [Page] = []
        var lastRuns: [LastRun] = []
        let hub = try Hub(
            folder: folder,
            server: configuration,
            features: Live.hubFeatures,
            featureSettings: featureSettings,
            version: TandemVersion.current,
            metrics: metrics,
            logger: logger
        ) { parts in
            // Its folder's lock is held.
            let lastRun = LastRun(in: folder, at: Date())
            lastRuns = [lastRun]
            let page = try Pages.page(of: parts, pageValues, after: lastRun, logger: logger)
            made = [page]
            return page.table
        }
        let pages = made
        let lastRun = lastRuns.first ?? LastRun(in: folder, at: Date())
        var services: [any Service] = [hub] + pages.map { $0 as any Service }
        if let certificate, let account {
            services.append(HubCertificates(certificate, of: hub.server, by: account, logger: logger))
        }
        try await Roles.run(
            services,
            after: lastRun,
            announcing: { [json = global.json] in
                let wire = try await Pages.adding(pages, to: hub.control.call(.status))
                return try Output.text(of: wire, as: json) { (status: HubStatus) in
                    let others = status.urls.dropFirst()
                    return "A hub is listening. Point computers to it with: tandem desktop --hub \(status.url)"
                        + (others.isEmpty ? "" : "\nIt is also at: \(others.joined(separator: " "))")
                        + (certificate != nil && hub.server.certificateHash == nil
                            ? "\nIts certificate is being made; until it is there, nobody can connect." : "")
                        + Pages.line(wire, of: .hub)
                }
            },
            reloading: { try hub.server.reloadCertificates() },
            logger: logger
        )
    }
}

struct HubPeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Who is connected to the running hub."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.show(HubControl.peers, .init(), of: .hub) { list in
            guard !list.peers.isEmpty else { return "Nobody is connected." }
            return Output.table(
                ["NAME", "ADDRESS", "SINCE", "PROVEN", "ID"],
                list.peers.map {
                    [
                        HubDevicesCommand.name($0.name, of: $0.person), $0.address, Output.when($0.connectedAt),
                        $0.proven ? "yes" : "no", $0.peerId,
                    ]
                }
            )
        }
    }
}

struct HubDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "The devices that the running hub knows, connected or not, those seen last first.",
        discussion:
            "A name is what you call a device (tandem hub name), else what its person with an account here does."
    )

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("How many at most. Default: 100.", valueName: "n")) var limit = 100
    @Option(help: ArgumentHelp("Where to go on: the next of an answer.", valueName: "place")) var after: String?

    func run() async throws {
        try await global.show(HubControl.devices, .init(limit: limit, after: after), of: .hub) { list in
            guard !list.devices.isEmpty else { return "No device has proved an id here yet." }
            let table = Output.table(
                ["NAME", "SEEN", "ID"],
                list.devices.map {
                    [
                        Self.name($0.name, of: $0.person), $0.connected ? "connected" : Self.day($0.seenAt), $0.peerId,
                    ]
                }
            )
            guard let next = list.next else { return table }
            return table + "\n\(list.devices.count) of \(list.total). Go on with: --after \(ShellWords.line([next]))"
        }
    }

    /// A hub notes only the day.
    private static func day(_ milliseconds: Int64) -> String {
        Date(millisecondsSince1970: milliseconds).formatted(date: .abbreviated, time: .omitted)
    }

    /// A device's name with whose it is, as far as that is known.
    static func name(_ name: String?, of person: String?) -> String {
        [name, person.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    }
}

struct HubNameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Give a device the name by which you know it at the running hub. Nobody else sees it.",
        discussion: "Without a name it is taken away."
    )

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The device's id, as in: tandem hub devices") var id: String
    @Argument(help: "At most 64 characters.") var name: String?

    func run() async throws {
        try await global.show(HubControl.name, .init(id, name: name), of: .hub) { _ in
            name == nil ? "It has no name now." : "It is called so here."
        }
    }
}

struct HubKickCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick",
        abstract: "End a device's connection to the running hub. It is told why, and may come back."
    )

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The device's id, as in: tandem hub peers") var id: String
    @Option(help: ArgumentHelp("What the device is told.", valueName: "text")) var reason: String?

    func run() async throws {
        let kick = HubControl.Kick(id, reason: reason)
        try await global.show(HubControl.kick, kick, of: .hub) { _ in "The connection was ended." }
    }
}

struct HubReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Take an id from the key that owns it at the running hub, with what waits for it.",
        discussion:
            "For a device that was set up anew, or an id that a stranger took first. Who proves it next owns it."
    )

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The id.") var id: String

    func run() async throws {
        try await global.show(HubControl.release, HubControl.Release(id), of: .hub) { _ in
            "The id is free. The next device that proves it owns it."
        }
    }
}

struct HubLoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "load", abstract: "How busy the running hub is.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.show(HubControl.load.asWire, HubLoad.Query(), of: .hub) { Output.members($0) }
    }
}

struct HubLimitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "The limits of the running hub, with their settings.",
        discussion: """
            A limit is set by its name in config.json, {"limitConnections": 5000}, or in the environment, \
            TANDEM_LIMIT_CONNECTIONS=5000.
            """
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.show(HubControl.limits, of: .hub) { list in
            Output.table(
                ["SETTING", "VALUE", "UNIT", "WHAT IT BOUNDS"],
                list.limits.map {
                    [$0.name, "\($0.value)" + ($0.value == $0.default ? "" : " (set)"), $0.unit, $0.summary]
                }
            )
        }
    }
}
