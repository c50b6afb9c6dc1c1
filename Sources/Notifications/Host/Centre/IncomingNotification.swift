package import Notifications

/// A notification for people as its source gives it: no bound is applied to it yet.
package struct IncomingNotification: Hashable, Sendable {
    package var title: String
    package var body: String
    package var priority: NotificationPriority
    package var origin: NotificationOrigin
    /// The program that says it, for people; nil where that is not known.
    package var program: String?
    /// One of the same key and program is replaced.
    package var key: String?
    package var data: [String: String]
    package var icon: String?
    package var progress: Int?
    package var respectsQuietHours: Bool

    package init(
        title: String,
        body: String,
        priority: NotificationPriority = .normal,
        origin: NotificationOrigin = .computer,
        program: String? = nil,
        key: String? = nil,
        data: [String: String] = [:],
        icon: String? = nil,
        progress: Int? = nil,
        respectsQuietHours: Bool = true
    ) {
        self.title = title
        self.body = body
        self.priority = priority
        self.origin = origin
        self.program = program
        self.key = key
        self.data = data
        self.icon = icon
        self.progress = progress
        self.respectsQuietHours = respectsQuietHours
    }

    /// Within the bounds: what is longer is cut, what does not fit otherwise is left out.
    var bounded: NewNotificationRow {
        var row = NewNotificationRow(
            title: title.cut(to: NotificationLimits.title),
            body: body.cut(to: NotificationLimits.body)
        )
        if !row.title.contains(where: { !$0.isWhitespace }) { row.title = program ?? "Tandem" }
        row.title = row.title.cut(to: NotificationLimits.title)
        row.priority = priority
        row.origin = origin
        row.program = (program ?? "").cut(to: NotificationLimits.name)
        row.key = key.flatMap { $0.isEmpty || $0.utf8.count > NotificationLimits.name ? nil : $0 }
        let fitting = data.filter {
            $0.key.utf8.count <= NotificationLimits.dataKey && $0.value.utf8.count <= NotificationLimits.dataValue
        }
        row.data = Dictionary(
            fitting.sorted { $0.key < $1.key }.prefix(NotificationLimits.data).map { ($0, $1) },
            uniquingKeysWith: { first, _ in first }
        )
        row.icon = icon.flatMap { $0.isEmpty || $0.utf8.count > NotificationLimits.name ? nil : $0 }
        row.progress = progress.map { min(max($0, 0), 100) }
        return row
    }
}
