import DesktopNotifications
import Kernel
import LinuxBus

/// Makes events of the messages that a monitor of the bus sees. A value: it waits for nothing.
struct BusMonitor {
    /// Calls of `Notify` without an answer that are kept, and their bytes.
    static let pendingLimit = 256
    static let pendingByteLimit = 16 << 20
    /// A call that was not answered in this time is forgotten.
    static let pendingAge = Duration.seconds(30)
    /// Bytes of a reply.
    static let replyLimit = BusNotification.bodyLimit

    private struct CallID: Hashable {
        let sender: String
        let cookie: UInt64
    }

    private struct Pending {
        let call: NotifyCall
        let isOurs: Bool
        let bytes: Int
        let time: ContinuousClock.Instant
    }

    /// The unique name of the connection that our own notifications are shown with.
    private let ownName: String
    private var pending: [CallID: Pending] = [:]
    /// Oldest first; may name calls that were answered.
    private var order: [CallID] = []
    private var bytes = 0
    private var gtk = GtkNumbers()

    init(ownName: String) { self.ownName = ownName }

    /// The match rules of a monitor: the bus shows it these messages.
    static let rules = [
        "type='method_call',interface='\(NotificationsName.service)',member='Notify'",
        "type='method_return',sender='\(NotificationsName.service)'",
        "type='error',sender='\(NotificationsName.service)'",
        "type='signal',sender='\(NotificationsName.service)',interface='\(NotificationsName.service)'",
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(NotificationsName.service)'",
        "type='method_call',interface='org.freedesktop.DBus',member='RequestName',arg0='\(NotificationsName.service)'",
        "type='method_call',interface='\(GtkName.service)',member='\(GtkName.add)'",
        "type='method_call',interface='\(GtkName.service)',member='\(GtkName.remove)'",
    ]

    /// The match rules of a connection that hears of its own notifications only.
    static let ownRules = rules.filter { $0.hasPrefix("type='signal'") }

    /// The application and the id of a notification that a GTK program showed.
    func gtkNotification(_ number: UInt32) -> GtkNotificationID? { gtk[number] }

    /// Another service took over, so ids begin anew. Calls without an answer stay: the bus may have started it for one of them.
    mutating func serviceChanged() { gtk.forgetAll() }

    mutating func take(_ message: BusMessage, now: ContinuousClock.Instant) -> BusEvent? {
        switch message.kind {
        case .call:
            if message.interface == GtkName.service { return tookGtk(message) }
            return message.member == "Notify" ? took(message, now) : nil
        case .answer, .failure: return answered(message, now)
        case .signal: return signalled(message)
        case nil: return nil
        }
    }

    private mutating func took(_ message: BusMessage, _ now: ContinuousClock.Instant) -> BusEvent? {
        guard let sender = message.sender, let cookie = message.cookie, let call = NotifyCall(message) else {
            return nil
        }
        guard message.expectsReply else { return tookUnanswered(call, message, sender, cookie) }
        let id = CallID(sender: sender, cookie: cookie)
        guard pending[id] == nil else { return nil }
        let isOurs = sender == ownName
        let size = isOurs ? 0 : call.notification.byteCount
        pending[id] = Pending(call: call, isOurs: isOurs, bytes: size, time: now)
        order.append(id)
        bytes += size
        while let oldest = order.first {
            let isOver = pending.count > Self.pendingLimit || bytes > Self.pendingByteLimit
            let isOld = pending[oldest].map { now - $0.time > Self.pendingAge } ?? true
            guard isOver || isOld else { break }
            order.removeFirst()
            _ = forget(oldest)
        }
        return nil
    }

    /// Tells a notification under a number of ours: no answer tells the service's, so it can neither be closed nor pressed from here.
    private mutating func tookUnanswered(
        _ call: NotifyCall,
        _ message: BusMessage,
        _ sender: String,
        _ cookie: UInt64
    ) -> BusEvent? {
        guard sender != ownName, message.destination == NotificationsName.service else { return nil }
        var notification = call.notification
        notification.onlyDesktopActs = true
        let number = gtk.number(of: GtkNotificationID(application: sender, id: "\(cookie)")).number
        return .shown(id: number, notification, replaces: nil)
    }

    /// Its caller waits for no answer, so the call counts. One that is passed on to another name was told already.
    private mutating func tookGtk(_ message: BusMessage) -> BusEvent? {
        guard message.destination == GtkName.service else { return nil }
        if message.member == GtkName.remove {
            guard message.has(signature: "ss"), let id = GtkNotificationID(message), let number = gtk.forget(id) else {
                return nil
            }
            return .closed(id: number, .byProgram)
        }
        guard message.member == GtkName.add, let call = GtkNotification(message) else { return nil }
        let (number, isKnown) = gtk.number(of: call.id)
        return .shown(id: number, call.notification, replaces: isKnown ? number : nil)
    }

    private mutating func forget(_ id: CallID) -> Pending? {
        guard let found = pending.removeValue(forKey: id) else { return nil }
        bytes -= found.bytes
        return found
    }

    private mutating func answered(_ message: BusMessage, _ now: ContinuousClock.Instant) -> BusEvent? {
        guard let receiver = message.destination, let cookie = message.replyCookie else { return nil }
        guard let found = forget(CallID(sender: receiver, cookie: cookie)) else { return nil }
        guard !found.isOurs, message.kind == .answer, message.has(signature: "u"), let id = message.unsigned(), id > 0,
            id < GtkNumbers.first
        else { return nil }
        let replaced = found.call.replaced
        return .shown(id: id, found.call.notification, replaces: replaced == 0 ? nil : replaced)
    }

    private mutating func signalled(_ message: BusMessage) -> BusEvent? {
        guard message.interface == NotificationsName.service else { return nil }
        switch message.member {
        case "NotificationClosed":
            guard message.has(signature: "uu"), let id = message.unsigned(), id < GtkNumbers.first,
                let code = message.unsigned()
            else { return nil }
            return .closed(id: id, BusCloseReason(code: code))
        case "ActionInvoked":
            guard message.has(signature: "us"), let id = message.unsigned(),
                let key = message.text(limit: BusAction.textLimit)
            else { return nil }
            return .actionInvoked(id: id, action: key)
        case "NotificationReplied":
            guard message.has(signature: "us"), let id = message.unsigned(),
                let text = message.text(limit: Self.replyLimit)
            else { return nil }
            return .replied(id: id, text: text)
        default: return nil
        }
    }
}
