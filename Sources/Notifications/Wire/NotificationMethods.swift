public import Commands
import Rights

/// Source: `docs/protocol.md`, "Notifications".
public enum NotificationMethods {
    /// Shows something at the computer, and tells its other devices.
    public static let send = Method<NewNotification, NotificationSent>(
        "notification.send",
        needs: Permission(.notification),
        risk: .mutating,
        summary: "Shows a notification on the computer."
    )
    /// Tells one phone, or several by name.
    public static let sendToMobile = Method<ForwardedNotification, NotificationDelivery>(
        "notification.sendToMobile",
        needs: Permission(.notification),
        risk: .mutating,
        summary: "Sends a notification to a phone."
    )
    /// Tells every phone.
    public static let broadcast = Method<ForwardedNotification, NotificationDelivery>(
        "notification.broadcast",
        needs: Permission(.notification),
        risk: .mutating,
        summary: "Sends a notification to every phone."
    )
    /// The newest first.
    public static let getHistory = Method<NotificationHistoryQuery, NotificationHistory>(
        "notification.getHistory",
        needs: Permission(.notification),
        risk: .safe,
        isRepeatable: true,
        summary: "Lists notifications."
    )
    /// May wait on the phone for a computer that is away.
    public static let markAsRead = Method<NotificationIDs, NotificationCount>(
        "notification.markAsRead",
        needs: Permission(.notification),
        risk: .mutating,
        mayWait: true,
        isRepeatable: true,
        summary: "Marks notifications read."
    )
    /// May wait on the phone for a computer that is away.
    public static let markAllAsRead = Method<AllNotifications, NotificationCount>(
        "notification.markAllAsRead",
        needs: Permission(.notification),
        risk: .mutating,
        mayWait: true,
        isRepeatable: true,
        summary: "Marks all notifications read."
    )
    /// May wait on the phone for a computer that is away. One that was deleted before is a success, too.
    public static let delete = Method<NotificationIDs, NotificationCount>(
        "notification.delete",
        needs: Permission(.notification),
        risk: .mutating,
        mayWait: true,
        isRepeatable: true,
        summary: "Deletes notifications."
    )
    /// May wait on the phone for a computer that is away.
    public static let clearAll = Method<AllNotifications, NotificationCount>(
        "notification.clearAll",
        needs: Permission(.notificationAll),
        risk: .mutating,
        mayWait: true,
        isRepeatable: true,
        summary: "Deletes all notifications."
    )
    /// How many were not read.
    public static let getUnreadCount = Method<NoParameters, NotificationCount>(
        "notification.getUnreadCount",
        needs: Permission(.notification),
        risk: .safe,
        summary: "Counts unread notifications."
    )
    /// The settings that hold for every device.
    public static let getSettings = Method<NoParameters, NotificationSettings>(
        "notification.getSettings",
        needs: Permission(.notification),
        risk: .safe,
        summary: "Reads how notifications behave."
    )
    /// Answers with all settings as they are from now on.
    public static let updateSettings = Method<NotificationSettingsChange, NotificationSettingsSaved>(
        "notification.updateSettings",
        needs: Permission(.notificationAll),
        risk: .mutating,
        summary: "Changes how notifications behave."
    )
    /// A method of existing programs. May wait on the phone for a computer that is away.
    public static let clearHistory = Method<OldNotifications, NotificationCount>(
        "notification.clearHistory",
        needs: Permission(.notificationAll),
        risk: .mutating,
        mayWait: true,
        isRepeatable: true,
        summary: "Deletes old notifications."
    )
    /// Ours: what changed since a number, and the acknowledgement of everything up to it. Source: `docs/notifications.md`.
    public static let sync = Method<NotificationSyncQuery, NotificationChanges>(
        "notification.sync",
        needs: Permission(.notification),
        risk: .safe,
        isRepeatable: true,
        summary: "Tells what changed among notifications."
    )
    /// Ours: the picture of one.
    public static let image = Method<NotificationIDs, NotificationPicture>(
        "notification.image",
        needs: Permission(.notification),
        risk: .safe,
        summary: "Gives a notification's picture."
    )
    /// Ours: the programs of the desktop.
    public static let sources = Method<NoParameters, NotificationPrograms>(
        "notification.sources",
        needs: Permission(.notificationAll),
        risk: .safe,
        summary: "Lists the programs that show notifications."
    )
    /// Ours: whether what a program shows is told.
    public static let setSource = Method<NotificationProgramChange, NotificationPrograms>(
        "notification.setSource",
        needs: Permission(.notificationAll),
        risk: .mutating,
        summary: "Lets a program's notifications through, or not."
    )
    /// Ours: presses a button, or answers.
    public static let act = Method<NotificationPress, Done>(
        "notification.act",
        needs: Permission(.notificationAct),
        risk: .mutating,
        summary: "Presses a button of a notification, or answers it."
    )
    /// Ours: where this phone can be woken while it is closed. One for a phone; another replaces it.
    public static let registerPush = Method<PushRegistration, Done>(
        "notification.registerPush",
        needs: Permission(.notification),
        risk: .mutating,
        isRepeatable: true,
        summary: "Says where this phone is woken by pushes."
    )
    /// Ours: ends the registration for pushes.
    public static let unregisterPush = Method<NoParameters, Done>(
        "notification.unregisterPush",
        needs: Permission(.notification),
        risk: .mutating,
        isRepeatable: true,
        summary: "Ends pushes to this phone."
    )

    /// The feature's methods, for catalogues and registries.
    public static let all: [MethodDeclaration] = [
        send.declaration, sendToMobile.declaration, broadcast.declaration, getHistory.declaration,
        markAsRead.declaration, markAllAsRead.declaration, delete.declaration, clearAll.declaration,
        getUnreadCount.declaration, getSettings.declaration, updateSettings.declaration, clearHistory.declaration,
        sync.declaration, image.declaration, sources.declaration, setSource.declaration, act.declaration,
        registerPush.declaration, unregisterPush.declaration,
    ]
}

extension EventKind {
    /// The event for a notification that a program shows on the desktop: told to phones that may see those.
    public static let mirroredReceived = EventKind("notification.received", needs: .notificationAll)
    /// Like ``mirroredReceived``, for a change.
    public static let mirroredChanged = EventKind("notification.changed", needs: .notificationAll)
    /// A notification is new, or wants to be noticed again. The documented push.
    public static let notificationReceived = EventKind("notification.received", needs: .notification)
    /// Ours: a notification was read or deleted, or says something else without wanting to be noticed.
    public static let notificationChanged = EventKind("notification.changed", needs: .notification)
}
