package import CommandServer
package import DesktopNotifications
import Kernel

/// Shows the computer's own messages with the session's notification service.
package struct BusNotifier: DesktopNotifier {
    private let bus: any NotificationBus

    package init(bus: any NotificationBus) { self.bus = bus }

    package func notify(_ title: String, _ body: String) async throws {
        let notification = BusNotification(
            programName: "Tandem",
            title: TerminalText.line(title),
            body: TerminalText.line(body)
        )
        _ = try await bus.show(notification, replacing: nil)
    }
}

extension LinuxNotificationBus {
    /// What `tandem doctor` tells of it.
    package static func checks(environment: [String: String]) async -> [DoctorCheck] {
        let name = "Notifications"
        do {
            let service = try await LinuxNotificationBus(environment: environment, serves: false).service()
            return [DoctorCheck(name: name, works: true, detail: "shown by \(service.name) \(service.version)")]
        } catch {
            return [DoctorCheck(name: name, failure: error)]
        }
    }
}
