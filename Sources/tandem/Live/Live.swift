import Foundation
import LinuxDiscovery
import LinuxQRCodes
import LinuxTerminal
import Metrics
import Pairing
import QRCodes
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

    static func advertiser() -> any ServiceAdvertiser { LinuxServiceAdvertiser() }
    static func browser() -> any ServiceBrowser { LinuxServiceBrowser() }

    /// What phones operate this computer with.
    static func tools() -> DesktopTools {
        DesktopTools(terminals: LinuxPseudoTerminalFactory())
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
