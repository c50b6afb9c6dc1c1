package import Capabilities
import CommandServer
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
            body: TerminalText.line(body),
            // A message of this computer to its person is no news for phones, also of another computer's half in this session.
            isPresented: true
        )
        _ = try await bus.show(notification, replacing: nil)
    }
}

extension LinuxNotificationBus {
    /// The checks of notifications for `tandem doctor`.
    package static func checks(environment: [String: String]) async -> [DoctorCheck] {
        let name = "Notifications"
        let bus = LinuxNotificationBus(environment: environment, serves: false)
        do {
            let service = try await bus.service()
            return [
                DoctorCheck(name: name, works: true, detail: "shown by \(service.name) \(service.version)")
                    .saying("noticesShownBy", ["program": .string("\(service.name) \(service.version)")])
            ]
        } catch {
            if case NotificationBusError.noService = error, (try? await bus.canStartService()) == true {
                return [
                    DoctorCheck(name: name, works: true, detail: "shown by a service that starts with the first one")
                        .saying("noticesStart")
                ]
            }
            return [DoctorCheck(name: name, failure: error)]
        }
    }
}
