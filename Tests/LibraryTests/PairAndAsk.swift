import Foundation
import Kernel
import Logging
import Pairing
import SystemInfo
import TandemPhone

/// Pairs with the computer whose code was scanned, and says how long it has been up.
func pairAndAsk(code: String, folder: URL) async throws -> String {
    let phone = try Phone(
        folder: StateFolder(folder),
        configuration: PhoneConfiguration(
            device: PairingDeviceInfo(name: "Ada's phone", platform: .iOS),
            version: "1.0"
        ),
        logger: Logger(label: "app")
    )
    // Everything that keeps the phone connected; ends with its task.
    let running = Task { try await phone.run() }
    defer { running.cancel() }
    let computer = try await phone.pairing.pair(with: phone.pairing.read(code))
    let uptime = try await SystemClient(phone.peer(computer)).uptime()
    return "\(computer.deviceName) has been up for \(uptime.seconds) seconds."
}
