import DesktopNotifications
import Dispatch
import Kernel
import LinuxBus

/// Serves the session's notifications on a connection that owns their name: remembers who shows what, and tells programs
/// what happens to it. It draws nothing: a monitor sees the calls, and their reader shows them.
///
/// `@unchecked Sendable`, because all of its state belongs to `queue`, which is serial and the connection's.
final class NotificationServer: @unchecked Sendable {
    static let service = NotificationService(
        name: "Tandem",
        vendor: "Tandem",
        version: "1",
        capabilities: ["actions", "body", "body-markup", "icon-static", "inline-reply", "persistence"],
        isOurs: true,
        canInvoke: true,
        canReply: true
    )
    private static let introspection = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node><interface name="org.freedesktop.Notifications">
        <method name="GetCapabilities"><arg type="as" direction="out"/></method>
        <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>\
        <arg type="s" direction="out"/><arg type="s" direction="out"/></method>
        <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>\
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>\
        <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
        <method name="CloseNotification"><arg type="u" direction="in"/></method>
        <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
        <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
        <signal name="NotificationReplied"><arg type="u"/><arg type="s"/></signal>
        </interface></node>
        """

    private let queue: DispatchQueue
    private let time: any TimeSource
    private weak var connection: BusConnection?
    private var served = ServedNotifications()
    /// Whether it serves. Use it on the queue.
    private(set) var isServing = false
    private var expiries: [UInt32: Task<Void, Never>] = [:]

    init(queue: DispatchQueue, time: any TimeSource) {
        self.queue = queue
        self.time = time
    }

    deinit { for task in expiries.values { task.cancel() } }

    /// Begins to answer calls. On the queue.
    func start(on connection: BusConnection) {
        self.connection = connection
        isServing = true
    }

    /// Closes what is open, and answers no more. On the queue.
    func stop() {
        guard isServing else { return }
        isServing = false
        for task in expiries.values { task.cancel() }
        expiries = [:]
        for (id, owner) in served.closeAll() { tellClosed(id, .undefined, owner) }
    }

    /// Answers a call. On the queue.
    func take(_ message: BusMessage) {
        guard let connection, message.kind == .call else { return }
        guard isServing else { return connection.refuse(message, Self.unknown, "Nothing is served here.") }
        switch (message.interface, message.member) {
        case ("org.freedesktop.DBus.Introspectable", "Introspect"):
            connection.answer(message, [.text(Self.introspection)])
        case (NotificationsName.service, "GetServerInformation"):
            let service = Self.service
            connection.answer(
                message,
                [.text(service.name), .text(service.vendor), .text(service.version), .text("1.2")]
            )
        case (NotificationsName.service, "GetCapabilities"):
            connection.answer(message, [.texts(Self.service.capabilities)])
        case (NotificationsName.service, "Notify"): show(message, connection)
        case (NotificationsName.service, "CloseNotification"):
            guard message.has(signature: "u"), let id = message.unsigned() else { return refuse(message, connection) }
            close(id, .byProgram)
            connection.answer(message, [])
        default: connection.refuse(message, Self.unknown, "There is no such method.")
        }
    }

    /// Tells a notification's program that a button was pressed. On the queue.
    func invoke(_ action: String, reply: String?, of id: UInt32) throws(NotificationBusError) {
        guard isServing, let entry = served[id] else { throw .closed(id: id) }
        guard entry.keys.contains(action) else { throw .unknownAction(action) }
        if let reply, action == BusNotification.replyAction {
            let text = BoundedText.cut(reply, limit: BusMonitor.replyLimit)
            connection?.signal("NotificationReplied", to: entry.owner, [.unsigned(id), .text(text)])
        } else {
            connection?.signal("ActionInvoked", to: entry.owner, [.unsigned(id), .text(action)])
        }
        if !entry.isResident { close(id, .dismissed) }
    }

    /// Closes one for a person. On the queue.
    func dismiss(_ id: UInt32) throws(NotificationBusError) {
        guard isServing, served[id] != nil else { throw .closed(id: id) }
        close(id, .dismissed)
    }

    private func show(_ message: BusMessage, _ connection: BusConnection) {
        guard let call = NotifyCall(message), message.sender != nil else { return refuse(message, connection) }
        let (id, entry, closed) = served.show(call.notification, replacing: call.replaced)
        connection.answer(message, [.unsigned(id)])
        if let closed {
            expiries.removeValue(forKey: closed.id)?.cancel()
            tellClosed(closed.id, .undefined, closed.owner)
        }
        expiries.removeValue(forKey: id)?.cancel()
        guard let milliseconds = call.notification.expireMilliseconds, milliseconds > 0 else { return }
        let deadline = time.now + .milliseconds(Int64(milliseconds))
        expiries[id] = Task { [weak self, queue, time] in
            guard await time.pause(until: deadline) else { return }
            queue.async { [weak self] in self?.expire(id, entry.generation) }
        }
    }

    private func expire(_ id: UInt32, _ generation: UInt64) {
        if served[id]?.generation == generation { close(id, .expired) }
    }

    private func close(_ id: UInt32, _ reason: BusCloseReason) {
        expiries.removeValue(forKey: id)?.cancel()
        if let entry = served.close(id) { tellClosed(id, reason, entry.owner) }
    }

    private func tellClosed(_ id: UInt32, _ reason: BusCloseReason, _ owner: String) {
        connection?.signal("NotificationClosed", to: owner, [.unsigned(id), .unsigned(reason.rawValue)])
    }

    private func refuse(_ message: BusMessage, _ connection: BusConnection) {
        connection.refuse(message, "org.freedesktop.DBus.Error.InvalidArgs", "The arguments are not as specified.")
    }

    private static let unknown = "org.freedesktop.DBus.Error.UnknownMethod"
}
