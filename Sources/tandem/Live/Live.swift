import Foundation
import LinuxDesktopTools
import LinuxDiscovery
import LinuxFiles
import LinuxQRCodes
import LinuxSystemInfo
import LinuxTerminal
import Metrics
import Pairing
import QRCodes
import Remote
import SignalingServer
import TandemDesktop
import Transport

/// The one place where this executable's adapters are chosen.
enum Live {
    static let reader: any QRCodeReader = LinuxQRCodeReader()
    static let camera: any QRCamera = LinuxQRCamera()
    static let screen: any ScreenCapturer = LinuxScreenCapturer(environment: ProcessInfo.processInfo.environment)
    static let pictureMaker = CodePictures(maker: LinuxQRCodeMaker(), pictures: LinuxQRPictureMaker())
    static let platform = PairingPlatform.linux

    /// For a process that moves files: a desktop's and a phone's.
    static func prepareForTransfers() { LinuxMemory.keepBuffers() }

    static func advertiser() -> any ServiceAdvertiser { LinuxServiceAdvertiser() }
    static func browser() -> any ServiceBrowser { LinuxServiceBrowser() }

    /// What phones operate this computer with.
    ///
    /// - Parameter folders: The shared ones; none: the home folder.
    /// - Throws: `FileError` naming the folder that cannot be shared.
    static func tools(sharing folders: [String]) throws -> DesktopTools {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        let shared = folders.map { URL(fileURLWithPath: ($0 as NSString).expandingTildeInPath).path }
        let environment = ProcessInfo.processInfo.environment
        return DesktopTools(
            terminals: LinuxPseudoTerminalFactory(),
            files: try LinuxFileAccess(
                folders: shared,
                home: home,
                trash: LinuxFileAccess.defaultTrash(home: home, environment: environment)
            ),
            desktop: DesktopTools.DesktopSession(
                clipboard: LinuxClipboard(environment: environment),
                screen: LinuxScreen(environment: environment),
                pictures: LinuxPictures()
            ),
            system: LinuxSystemInfo(environment: environment)
        )
    }

    /// What of that works here, and what brings the rest.
    static func toolChecks() async -> [DoctorCheck] {
        let environment = ProcessInfo.processInfo.environment
        return await LinuxScreen.checks(environment: environment) + LinuxClipboard.checks(environment: environment)
            + LinuxSystemInfo.checks(environment: environment)
    }

    /// What the machine is called, without its domain.
    static var machineName: String {
        let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init)
        return name ?? "this computer"
    }

    /// From here on everything in the process counts there. Call once.
    static func metrics() -> PrometheusMetrics {
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        return metrics
    }
}
