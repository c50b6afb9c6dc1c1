import DesktopNotifications
import Dispatch
import Kernel
import LinuxBus

/// Puts what a monitor sees into the buffer, in its order.
///
/// `@unchecked Sendable`, because its state belongs to the connections' serial queue: ``begin(ownName:on:)`` sets it there, before
/// the monitor's connection is opened.
final class MonitorWatch: @unchecked Sendable {
    enum Finding {
        case owner(isOurs: Bool)
        case wanted
    }

    private let buffer: EventBuffer
    private let time: any TimeSource
    private var ownName = ""
    private var monitor = BusMonitor(ownName: "")

    init(buffer: EventBuffer, time: any TimeSource) {
        self.buffer = buffer
        self.time = time
    }

    func begin(ownName: String, on queue: DispatchQueue) {
        queue.async { [self] in
            self.ownName = ownName
            monitor = BusMonitor(ownName: ownName)
        }
    }

    /// See ``BusMonitor/gtkNotification(_:)``. On the queue.
    func gtkNotification(_ number: UInt32) -> GtkNotificationID? { monitor.gtkNotification(number) }

    /// - Returns: What the session has to look into.
    func take(_ message: BusMessage) -> Finding? {
        if message.kind == .signal, message.sender == "org.freedesktop.DBus" {
            return message.member == "NameOwnerChanged" ? ownerChanged(message) : nil
        }
        if message.kind == .call, message.member == "RequestName" {
            return message.sender == ownName ? nil : .wanted
        }
        if let event = monitor.take(message, now: time.now) { buffer.add(event) }
        return nil
    }

    private func ownerChanged(_ message: BusMessage) -> Finding? {
        guard message.has(signature: "sss"), message.text(limit: 255) == NotificationsName.service,
            message.text(limit: 255) != nil, let owner = message.text(limit: 255)
        else { return nil }
        monitor.serviceChanged()
        // Later messages are the new service's.
        buffer.hold()
        return .owner(isOurs: owner == ownName)
    }
}
