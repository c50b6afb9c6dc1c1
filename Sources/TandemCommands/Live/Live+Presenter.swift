import Control
import Kernel
import LinuxNotifications
import Notifications
import TandemDesktop

extension Live {
    /// Shows a phone's notifications on the desktop that it runs on. Where no service shows any, they are printed on its terminal, if it has
    /// one: what is written into a file or a log would stay there.
    ///
    /// - Parameter prints: False where standard output is for programs.
    static func presenter(printing prints: Bool) -> any NotificationPresenter {
        let console = Running.console
        let bus = LinuxNotificationBus(environment: console.environment, hears: .own, serves: false)
        let isRead = prints && console.isTerminal(.output)
        let lines = TerminalPresenter { line in
            // The list has it all the same.
            try? Output.result(line)
        }
        return DesktopPresenter(
            PhoneBanners(bus),
            fallback: isRead ? lines : FollowedPresenter(),
            leavesOut: { [environment = console.environment] in await isThisComputer($0, environment) },
            refused: { error in
                let instead = isRead ? "they are printed here" : "see them with: tandem notifications follow"
                Output.complain("This desktop shows no notifications, so \(instead). \(error)")
            }
        )
    }

    /// Whether a computer's half of the same person runs on this machine under this id. What its programs show is on this desktop already.
    private static func isThisComputer(_ id: String, _ environment: [String: String]) async -> Bool {
        let folder = StateFolder.defaultURL(role: Role.desktop.rawValue, environment: environment)
        let client = ControlClient(folder: StateFolder(at: folder), role: Role.desktop.rawValue)
        do {
            let status: DesktopStatus = try await client.call(.status)
            return [status.did, status.deviceId].contains(id)
        } catch {
            // None runs here, or it cannot be asked.
            return false
        }
    }
}
