import AgentHistory
import BridgeHost
import Capabilities
import ClipboardHost
import CommandClient
import CommandServer
import FilesHost
import Foundation
import Kernel
import LinuxAgents
import LinuxDesktopTools
import LinuxDiscovery
import LinuxFiles
import LinuxFolderWatch
import LinuxNetwork
import LinuxNotifications
import LinuxPictures
import LinuxPorts
import LinuxPower
import LinuxQRCodes
import LinuxSavedCommands
import LinuxSystemInfo
import LinuxTerminal
import Metrics
import NotificationsHost
import Pairing
import PortForwardingHost
import PowerHost
import QRCodes
import RemoteInputHost
import Rights
import SavedCommandsHost
import ScreenHost
import SignalingServer
import SystemInfo
import SystemInfoHost
import TandemDesktop
import TandemPhone
import TerminalHost
import ThreadsHost
import Transport

/// The one place where this executable's adapters are chosen.
enum Live {
    static let pictures = LinuxPictures(program: PictureTool.path(environment: Running.console.environment))
    static let reader: any QRCodeReader = LinuxQRCodeReader(pictures: pictures)
    static let camera: any QRCamera = LinuxQRCamera()
    static var screen: any ScreenCapturer { LinuxScreenCapturer(environment: Running.console.environment) }
    static let pictureMaker = CodePictures(maker: LinuxQRCodeMaker(), pictures: LinuxQRPictureMaker(pictures: pictures))
    static let platform = PairingPlatform.linux

    /// The umask that this program was started with: what a shell that it starts goes on with, and what arrives from elsewhere obeys.
    static let personsMask = umask(0o077)

    /// Makes files of this process readable by its person only from now on, unless it says otherwise.
    static func keepFilesPrivate() { _ = personsMask }

    /// Prepares a process that moves files: a desktop's and a phone's.
    static func prepareForTransfers() { LinuxMemory.keepBuffers() }

    static func advertiser() -> any ServiceAdvertiser { LinuxServiceAdvertiser() }
    static func browser() -> any ServiceBrowser { LinuxServiceBrowser() }
    static func network() -> any NetworkWatch { LinuxNetworkWatch() }

    /// The features with which phones operate this computer: one line each.
    ///
    /// - Parameters:
    ///   - folders: The shared ones; none: the home folder.
    ///   - sharesHidden: Whether a home's entries that begin with a dot are shared with it.
    ///   - keepsClipboardHistory: Whether what the clipboard held is remembered, in memory.
    ///   - bridge: Where the bridge listens; nil: it is off.
    ///   - announcesBridge: Whether phones on the network find it.
    ///   - page: The page for phones; nil where nobody can ask for it.
    ///   - state: The state folder of the role that runs, which is kept out of what is shared.
    /// - Throws: `FileError` naming the folder that cannot be shared.
    static func features(
        sharing folders: [String],
        sharesHidden: Bool,
        keepsClipboardHistory: Bool,
        bridge: BridgeListening? = nil,
        announcesBridge: Bool = false,
        page: (@Sendable () async throws -> PageBundle)? = nil,
        state: URL
    ) throws -> [CommandFeatureMaker] {
        let environment = Running.console.environment
        return [
            SystemSkill.maker(
                information: LinuxSystemInfo(environment: environment),
                keepsHistory: true,
                page: page,
                checks: { await LinuxSystemInfo.checks(environment: environment) }
            ),
            ClipboardSkill.maker(
                clipboard: LinuxClipboard(environment: environment),
                pictures: pictures,
                keepsHistory: keepsClipboardHistory,
                checks: { await LinuxClipboard.checks(environment: environment) }
            ),
            ScreenSkill.maker(
                screen: LinuxScreen(environment: environment),
                pictures: pictures,
                checks: { await LinuxScreen.checks(environment: environment) }
            ),
            RemoteInputSkill.maker(access: LinuxInput(environment: environment)),
            .files(try files(sharing: folders, sharesHidden: sharesHidden, state: state), pictures: pictures),
            TerminalSkill.maker(factory: LinuxPseudoTerminalFactory(mask: personsMask)),
            ThreadsSkill.maker(
                ThreadServices(
                    readers: [CodexHistory(environment: environment), ClaudeHistory(environment: environment)],
                    watch: LinuxFolderWatch(),
                    launcher: LinuxAgentLauncher(environment: environment, mask: personsMask),
                    environment: environment
                )
            ),
            SavedCommandsSkill.maker(launcher: LinuxCommandLauncher(environment: environment, mask: personsMask)),
            PowerSkill.maker(LinuxPower(environment: environment)),
            NotificationsSkill.maker { context in
                NotificationsSkill.Services(
                    source: DesktopNotificationSource(bus, pictures: pictures, logger: context.logger),
                    pusher: try WebPhonePusher(
                        contact: context.settings[NotificationsSkill.contactSetting.name]?.stringValue,
                        time: context.time,
                        logger: context.logger
                    )
                )
            },
            PortsSkill.maker(listening: LinuxPorts()),
            BridgeFeature.maker(
                listening: bridge,
                notifier: notifier(),
                // One advertiser has one advertisement.
                advertiser: announcesBridge ? advertiser() : nil
            ),
        ]
    }

    /// The features of a hub, and of a computer that serves as one with `tandem up`: one line each.
    static let hubFeatures: [ServedFeatureMaker] = [chatHub]

    /// The rights that the features of this program declare.
    static let rights = [PeerFeatureMaker].standard.rights

    static func notifier() -> any DesktopNotifier { BusNotifier(bus: bus) }

    /// The desktop session's notifications. One connection for all: what this program shows itself is not heard as another program's.
    private static let bus = LinuxNotificationBus(environment: Running.console.environment, serves: true)

    private static func files(sharing folders: [String], sharesHidden: Bool, state: URL) throws -> LinuxFileAccess {
        let environment = Running.console.environment
        guard let home = HomeFolder.path(environment: environment) else { throw SettingsError.noHome }
        return try LinuxFileAccess(
            folders: folders.map { path(typed: $0).path },
            home: home,
            trash: LinuxFileAccess.defaultTrash(home: home, environment: environment),
            sharesHidden: sharesHidden,
            stateFolders: [state.path]
                + Role.allCases.map { StateFolder.defaultURL(role: $0.rawValue, environment: environment).path },
            programFolders: (environment["PATH"] ?? "").split(separator: ":").map(String.init),
            mask: UInt32(personsMask)
        )
    }

    /// A path as a person types it: `~` is the home folder, everything else begins where the command was started.
    static func path(typed text: String) -> URL {
        URL(fileURLWithPath: HomeFolder.expanding(text, environment: Running.console.environment))
    }

    /// Checks which of their tools work here, and what brings the rest.
    static func toolChecks() async -> [DoctorCheck] {
        let environment = Running.console.environment
        return await LinuxScreen.checks(environment: environment) + LinuxClipboard.checks(environment: environment)
            + LinuxSystemInfo.checks(environment: environment) + (await commonChecks())
    }

    /// The checks that belong to no feature alone.
    @Sendable
    static func commonChecks() async -> [DoctorCheck] {
        let environment = Running.console.environment
        let configuration =
            environment["XDG_CONFIG_HOME"] ?? (HomeFolder.path(environment: environment) ?? "") + "/.config"
        let lingering = Lingering.check(account: NSUserName(), configuration: configuration)
        return await LinuxNotificationBus.checks(environment: environment) + [lingering].compactMap(\.self)
    }

    /// The machine's host name, without its domain.
    static var machineName: String {
        let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init)
        return name ?? "this computer"
    }

    /// Makes the metrics that count everything in the process from now on. Call once.
    static func metrics() -> PrometheusMetrics {
        let described = hubFeatures.map(\.manifest.metrics).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        let metrics = PrometheusMetrics(describedBy: described)
        MetricsSystem.bootstrap(metrics)
        return metrics
    }
}
