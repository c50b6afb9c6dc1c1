import ArgumentParser
import BridgeHost
import Capabilities
import Foundation
import Kernel
import Logging
import Pairing
import SignalingServer
import SystemInfo
import TandemDesktop
import TandemWeb

/// The options of a computer, alone or together with a hub.
struct DesktopOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions
    @OptionGroup var page: PageOptions

    @Option(
        help: ArgumentHelp(
            "The hub to use where phones share no network with this computer. Default: none.",
            valueName: "url"
        )
    )
    var hub: String?

    @Option(
        help: ArgumentHelp("The address to put into the code, where it is not this computer's own.", valueName: "url")
    )
    var advertise: String?

    @Option(help: "What other devices show. Default: this machine's name.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            """
            A folder that phones which are allowed files may use; may be repeated. Default: the home folder without what \
            begins with a dot.
            """,
            valueName: "dir"
        ),
        completion: .directory
    )
    var share: [String] = []

    @Flag(
        help: """
            Share what begins with a dot in the home folder, too. Keys, browser profiles and the like stay out unless --share \
            names them, and files that start programs are only read.
            """
    )
    var shareHidden = false

    @Flag(help: "Remember in memory what the clipboard held lately, for phones that may use the clipboard.")
    var clipboardHistory = false

    @Option(
        help: ArgumentHelp(
            """
            Where the bridge listens: programs that speak the documented protocol come there with a token of tandem bridge \
            token. off turns it off. Default: port 9099 where --listen says.
            """,
            valueName: "address:port"
        )
    )
    var bridge: String?

    @Flag(help: "Accept every pairing request without asking. For scripts.")
    var yes = false

    @Flag(help: "Do not look for or announce devices on the local network.")
    var noDiscovery = false

    /// - Parameter served: A hub's features, where the computer serves as one.
    func desktop(
        folder: StateFolder,
        settings: Settings,
        serving served: [ServedFeatureMaker] = [],
        logger: Logger
    ) throws -> Desktop {
        var configuration = try configuration(settings, serving: served, state: folder.url)
        let countsThings = settings.flag(server.metrics, "metrics")
        try settings.refuseMistakes()
        if countsThings { configuration.metrics = Live.metrics() }
        return try Desktop(folder: folder, configuration: configuration, logger: logger)
    }

    /// - Parameter address: Where the computer's own server listens: the bridge is as far open unless it is set otherwise.
    /// - Throws: ``SettingsError/badBridge(value:)``.
    private func bridge(_ settings: Settings, beside address: String) throws(SettingsError) -> BridgeListening? {
        guard let value = settings.text(bridge, "bridge") else { return BridgeListening(address: address) }
        guard value != "off" else { return nil }
        guard let endpoint = Endpoint(value) else { throw .badBridge(value: value) }
        return BridgeListening(address: endpoint.host, port: endpoint.port)
    }

    /// The configuration of this computer from the settings, without starting anything.
    ///
    /// - Parameters:
    ///   - served: A hub's features, where the computer serves as one. Their settings are read in any case: `tandem up` reads the same file.
    ///   - state: The state folder, which no phone may see.
    func configuration(
        _ settings: Settings,
        serving served: [ServedFeatureMaker] = [],
        state: URL
    ) throws -> DesktopConfiguration {
        let server = try server.configuration(settings, defaultAddress: "0.0.0.0:9001", limits: .ofComputer)
        // `tandem up` reads the same file, and may run a phone too.
        _ = settings.flag(false, "withPhone")
        let page = try page.values(settings, for: .desktop)
        let discovers = !settings.flag(noDiscovery, "noDiscovery")
        let bridge = try bridge(settings, beside: server.address)
        let pageHash = PhonePageHash(
            files: PageOptions.files(settings),
            bundles: PageOptions.phoneBundles,
            terminal: PageOptions.terminalFiles(settings)
        )
        let features = try Live.features(
            sharing: settings.texts(share, "share"),
            sharesHidden: settings.flag(shareHidden, "shareHidden"),
            keepsClipboardHistory: settings.flag(clipboardHistory, "clipboardHistory"),
            bridge: bridge,
            announcesBridge: discovers && bridge?.isOnlyThisMachine == false,
            page: { PageBundle(version: TandemVersion.current, hash: try await pageHash.value()) },
            state: state
        )
        return DesktopConfiguration(
            device: PairingDeviceInfo(
                name: settings.deviceName(name, default: Live.machineName),
                platform: Live.platform,
                version: TandemVersion.current
            ),
            version: TandemVersion.current,
            server: server,
            hubURL: try settings.hubURL(hub, allowsPlain: server.allowsPlainOnPublicAddresses),
            advertisedURL: try settings.signalingURL(advertise, "advertise"),
            acceptsEverybody: settings.flag(yes, "yes"),
            advertiser: discovers ? Live.advertiser() : nil,
            network: Live.network(),
            iceServers: IceServersProvider(turnHost: server.turn?.host, turnSecret: server.turn?.secret),
            features: features,
            served: served,
            featureSettings: settings.of(features.map(\.manifest) + Live.hubFeatures.map(\.manifest)),
            notifier: Live.notifier(),
            checks: { await Live.commonChecks() + MachineChecks.all(page: page, discovers: discovers) }
        )
    }
}
