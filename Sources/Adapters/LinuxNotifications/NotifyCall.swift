import DesktopNotifications
import LinuxBus

/// A notification that a program asked the service to show: the arguments of `Notify`.
struct NotifyCall {
    static let signature = "susssasa{sv}i"
    /// Hints that are looked at.
    private static let hintLimit = 64

    let notification: BusNotification
    /// Zero where it replaces none.
    let replaced: UInt32

    /// - Returns: Nil where the message is anything else, or is damaged.
    init?(_ message: BusMessage) {
        guard message.has(signature: Self.signature),
            let program = message.text(limit: 4 * BusNotification.nameLimit),
            let replaced = message.unsigned(),
            let icon = message.text(limit: BusNotification.pathLimit),
            let title = message.text(limit: 4 * BusNotification.titleLimit),
            let body = message.text(limit: MarkupText.inputLimit),
            // One more byte than is allowed, so that a longer key is seen to be too long.
            let actions = message.texts(count: 4 * BusNotification.actionLimit, limit: 4 * BusAction.textLimit),
            let hints = Hints(message, limit: Self.hintLimit),
            let expiry = message.signed()
        else { return nil }
        self.replaced = replaced
        notification = BusNotification(
            programName: program,
            icon: icon,
            title: title,
            body: MarkupText.plain(body),
            asSent: MarkupText.shown(body),
            actions: stride(from: 0, to: actions.count - 1, by: 2).compactMap {
                BusAction(key: actions[$0], label: actions[$0 + 1])
            },
            urgency: hints.urgency,
            isTransient: hints.isTransient,
            isResident: hints.isResident,
            category: hints.category,
            desktopEntry: hints.desktopEntry,
            image: hints.image,
            expireMilliseconds: expiry,
            value: hints.value,
            syncKey: hints.syncKey,
            isSilent: hints.isSilent,
            isPresented: hints.isPresented || body.utf8.contains(NotificationsName.presentedMark.utf8),
            senderName: message.sender ?? ""
        )
    }
}

/// The hints of a notification. Source: the Desktop Notifications Specification, "Hints".
private struct Hints {
    var urgency = BusUrgency.normal
    var isTransient = false
    var isResident = false
    var category: String?
    var desktopEntry: String?
    var value: Int?
    var syncKey: String?
    var isSilent = false
    var isPresented = false
    private var pixels: BusPixels?
    private var path: String?
    private var iconPixels: BusPixels?

    /// The specification's order.
    var image: BusImage? {
        if let pixels { return .pixels(pixels) }
        if let path { return .path(path) }
        return iconPixels.map { .pixels($0) }
    }

    /// - Returns: Nil where the message is damaged.
    init?(_ message: BusMessage, limit: Int) {
        guard message.eachEntry(upTo: limit, { take($0, $1, message) }) else { return nil }
    }

    /// - Returns: False where the message is damaged.
    private mutating func take(_ name: String, _ contents: String, _ message: BusMessage) -> Bool {
        switch (name, contents) {
        case ("image-data", "(iiibiiay)"), ("image_data", "(iiibiiay)"):
            return picture(message) { $0.pixels = $1 }
        case ("icon_data", "(iiibiiay)"):
            return picture(message) { $0.iconPixels = $1 }
        case (_, "s"):
            guard message.enter("v", contents), let text = message.text(limit: BusNotification.pathLimit) else {
                return false
            }
            take(name, text)
            return message.leave()
        case (_, "y"), (_, "b"), (_, "n"), (_, "q"), (_, "i"), (_, "u"), (_, "x"), (_, "t"):
            guard message.enter("v", contents), let number = Self.number(message, contents) else { return false }
            take(name, number)
            return message.leave()
        default:
            return message.skip("v")
        }
    }

    private mutating func take(_ name: String, _ text: String) {
        guard !text.isEmpty else { return }
        switch name {
        case "category": category = text
        case "desktop-entry": desktopEntry = text
        case "image-path", "image_path": path = text
        case "x-canonical-private-synchronous", "x-dunst-stack-tag", "synchronous", "private-synchronous":
            syncKey = syncKey ?? text
        default: break
        }
    }

    private mutating func take(_ name: String, _ number: Int64) {
        switch name {
        case "urgency": urgency = UInt8(exactly: number).flatMap(BusUrgency.init) ?? urgency
        case "transient": isTransient = number != 0
        case "resident": isResident = number != 0
        case "suppress-sound": isSilent = number != 0
        case NotificationsName.presentedHint: isPresented = number != 0
        case "value": value = Int(min(max(number, 0), 100))
        default: break
        }
    }

    private mutating func picture(_ message: BusMessage, _ keep: (inout Hints, BusPixels?) -> Void) -> Bool {
        guard message.enter("v", "(iiibiiay)"), message.enter("r", "iiibiiay"), let width = message.signed(),
            let height = message.signed(), let stride = message.signed(), let alpha = message.number("b", Int32.self),
            let bits = message.signed(), let channels = message.signed(), let data = message.bytes()
        else { return false }
        let pixels = BusPixels(
            width: Int(width),
            height: Int(height),
            rowStride: Int(stride),
            hasAlpha: alpha != 0,
            bitsPerSample: Int(bits),
            channels: Int(channels),
            data: data
        )
        keep(&self, pixels)
        return message.leave() && message.leave()
    }

    private static func number(_ message: BusMessage, _ type: String) -> Int64? {
        switch type {
        case "y": message.number("y", UInt8.self).map(Int64.init)
        case "b": message.number("b", Int32.self).map(Int64.init)
        case "n": message.number("n", Int16.self).map(Int64.init)
        case "q": message.number("q", UInt16.self).map(Int64.init)
        case "i": message.number("i", Int32.self).map(Int64.init)
        case "u": message.number("u", UInt32.self).map(Int64.init)
        case "x": message.number("x", Int64.self)
        case "t": message.number("t", UInt64.self).map { Int64(clamping: $0) }
        default: nil
        }
    }
}
