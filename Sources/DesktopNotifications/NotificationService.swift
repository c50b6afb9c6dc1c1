/// A program that shows the session's notifications.
package struct NotificationService: Hashable, Sendable {
    /// For example `gnome-shell`.
    package var name: String
    package var vendor: String
    package var version: String
    /// Its capabilities, as the specification names them: `actions`, `body-markup`, …
    package var capabilities: [String]
    /// This program serves them itself, because the session has no other service.
    package var isOurs: Bool
    /// Whether ``NotificationBus/invoke(action:reply:of:)`` can press buttons with it.
    package var canInvoke: Bool
    /// Whether a text can be sent along.
    package var canReply: Bool

    package init(
        name: String,
        vendor: String = "",
        version: String = "",
        capabilities: [String] = [],
        isOurs: Bool = false,
        canInvoke: Bool = false,
        canReply: Bool = false
    ) {
        self.name = BoundedText.line(name, limit: BusNotification.nameLimit)
        self.vendor = BoundedText.line(vendor, limit: BusNotification.nameLimit)
        self.version = BoundedText.line(version, limit: BusNotification.nameLimit)
        self.capabilities = capabilities.prefix(64).map { BoundedText.line($0, limit: BusNotification.nameLimit) }
        self.isOurs = isOurs
        self.canInvoke = canInvoke
        self.canReply = canReply
    }
}
