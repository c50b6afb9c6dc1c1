/// Which calls may wait for a computer that cannot be reached.
///
/// Only those that change something and mean the same later: an answer that is read is of no use tomorrow, and what
/// belongs to a terminal or a transfer belongs to that moment.
public struct RemoteCallPolicy: Sendable {
    private let queueable: Set<String>

    /// - Parameter queueable: Methods by name.
    public init(queueable: Set<String>) { self.queueable = queueable }

    /// Source: `docs/protocol.md`, "Commands that wait".
    public static let standard = RemoteCallPolicy(queueable: [
        "clipboard.set", "clipboard.clearHistory",
        "notification.markAsRead", "notification.markAllAsRead", "notification.delete", "notification.clearAll",
        "file.delete", "file.createDirectory", "file.rename",
        "system.notify",
    ])

    public func mayQueue(_ method: String) -> Bool { queueable.contains(method) }

    public var methods: [String] { queueable.sorted() }
}
