import DesktopNotifications
import LinuxBus

/// Names of the interface that GTK programs use where the desktop has it, as GNOME does. Source: GLib, `ggtknotificationbackend.c`.
package enum GtkName {
    /// The name of the service and of its interface.
    package static let service = "org.gtk.Notifications"
    package static let path = "/org/gtk/Notifications"
    static let add = "AddNotification"
    static let remove = "RemoveNotification"
}

/// The id of a notification of an application: both are the application's own words.
struct GtkNotificationID: Hashable {
    /// For example `org.gnome.Calendar`.
    let application: String
    let id: String

    init(application: String, id: String) {
        self.application = application
        self.id = id
    }

    /// - Returns: Nil where the message does not begin with both, or one is empty or longer than is allowed.
    init?(_ message: BusMessage) {
        // One more byte than is allowed, so that a longer one is seen to be too long: cut, it would be another's.
        let limit = BusNotification.nameLimit
        guard let application = message.text(limit: limit + 1), let id = message.text(limit: limit + 1),
            !application.isEmpty, application.utf8.count <= limit, id.utf8.count <= limit
        else { return nil }
        self.application = application
        self.id = id
    }
}

/// A notification that a GTK program asked to show: the arguments of `AddNotification`, a serialized `GNotification`.
struct GtkNotification {
    static let signature = "ssa{sv}"
    /// Entries of a dictionary that are looked at.
    private static let entryLimit = 64

    let id: GtkNotificationID
    private(set) var notification: BusNotification

    /// - Returns: Nil where the message is anything else, is damaged, or says nothing.
    init?(_ message: BusMessage) {
        guard message.has(signature: Self.signature), let id = GtkNotificationID(message) else { return nil }
        var parts = Parts()
        guard message.eachEntry(upTo: Self.entryLimit, { parts.take($0, $1, message) }) else { return nil }
        guard !parts.title.isEmpty || !parts.body.isEmpty else { return nil }
        self.id = id
        notification = BusNotification(
            programName: id.application,
            icon: parts.icon,
            title: parts.title,
            body: parts.body,
            actions: parts.actions,
            urgency: parts.urgency,
            category: parts.category,
            desktopEntry: id.application,
            image: parts.image,
            onlyDesktopActs: true,
            senderName: message.sender ?? ""
        )
    }

    private struct Parts {
        var title = ""
        var body = ""
        var urgency = BusUrgency.normal
        var category: String?
        var icon: String?
        var image: BusImage?
        private var pressed: BusAction?
        private var buttons: [BusAction] = []

        var actions: [BusAction] { (pressed.map { [$0] } ?? []) + buttons }

        /// - Returns: False where the message is damaged.
        mutating func take(_ name: String, _ contents: String, _ message: BusMessage) -> Bool {
            switch (name, contents) {
            case ("title", "s"):
                message.inVariant(contents) { $0.text(limit: 4 * BusNotification.titleLimit) }.keep(&title)
            case ("body", "s"): message.inVariant(contents) { $0.text(limit: BusNotification.bodyLimit) }.keep(&body)
            case ("category", "s"): message.inVariant(contents) { $0.text(limit: 256) }.keep(&category)
            case ("priority", "s"): message.inVariant(contents) { Self.urgency($0.text(limit: 16)) }.keep(&urgency)
            // Older programs.
            case ("urgent", "b"):
                message.inVariant(contents) { $0.number("b", Int32.self).map { $0 == 0 ? .normal : .critical } }
                    .keep(&urgency)
            case ("default-action", "s"):
                message.inVariant(contents) { message in
                    message.text(limit: 0).flatMap { _ in BusAction(key: BusNotification.defaultAction, label: "") }
                }.keep(&pressed)
            case ("icon", "(sv)"): icon(message)
            case ("buttons", "aa{sv}"): buttons(message)
            default: message.skip("v")
            }
        }

        private static func urgency(_ word: String?) -> BusUrgency? {
            switch word {
            case nil: nil
            case "low": .low
            case "urgent": .critical
            default: .normal
            }
        }

        /// A serialized `GIcon`: its kind, and what that kind is made of.
        private mutating func icon(_ message: BusMessage) -> Bool {
            guard message.enter("v", "(sv)"), message.enter("r", "sv"), let kind = message.text(limit: 32),
                let contents = message.variant()
            else { return false }
            switch (kind, contents) {
            case ("themed", "as"):
                guard message.enter("v", contents),
                    let names = message.texts(count: 1, limit: BusNotification.pathLimit), message.leave()
                else { return false }
                icon = names.first
            case ("file", "s"):
                guard message.enter("v", contents), let path = message.text(limit: BusNotification.pathLimit),
                    message.leave()
                else { return false }
                image = path.isEmpty ? nil : .path(path)
            case ("bytes", "ay"):
                guard message.enter("v", contents), let bytes = message.bytes(), message.leave() else { return false }
                image = BusImage(file: bytes)
            default: guard message.skip("v") else { return false }
            }
            return message.leave() && message.leave()
        }

        private mutating func buttons(_ message: BusMessage) -> Bool {
            guard message.enter("v", "aa{sv}"), message.enter("a", "a{sv}") else { return false }
            while !message.isAtEnd {
                guard buttons.count < BusNotification.actionLimit else {
                    guard message.skip("a{sv}") else { return false }
                    continue
                }
                var (label, action) = ("", "")
                let limit = BusAction.textLimit + 1
                let isWhole = message.eachEntry(upTo: GtkNotification.entryLimit) { name, contents in
                    switch (name, contents) {
                    case ("label", "s"): message.inVariant(contents) { $0.text(limit: limit) }.keep(&label)
                    case ("action", "s"): message.inVariant(contents) { $0.text(limit: limit) }.keep(&action)
                    default: message.skip("v")
                    }
                }
                guard isWhole else { return false }
                if let button = BusAction(key: action, label: label) { buttons.append(button) }
            }
            return message.leave() && message.leave()
        }
    }
}

extension Optional {
    /// - Returns: False where there is nothing to keep.
    fileprivate func keep(_ place: inout Wrapped) -> Bool {
        guard let self else { return false }
        place = self
        return true
    }

    fileprivate func keep(_ place: inout Wrapped?) -> Bool {
        guard let self else { return false }
        place = self
        return true
    }
}
