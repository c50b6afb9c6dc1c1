import GRDB
import Sections
import Storage

extension NotificationStore {
    /// A phone's notifications with what was read, its place in each computer's list, and how it shows them.
    static let section = SectionDeclaration(
        "notifications",
        migrations: migrations,
        tables: [
            "notificationInbox", "notificationWithdrawal", "notificationCursor", "notificationPreference",
            "notificationPushTold",
        ]
    ) { database in
        // The push service wakes the old phone's program. With an empty registration each computer that was told of it is told that it ended, until
        // the new phone's program brings its own.
        try database.run("UPDATE notificationPreference SET value = '' WHERE name = 'push'")
    }
}
