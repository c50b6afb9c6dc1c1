import Commands
import Foundation
import Kernel
import Notifications

/// Notifications as a person reads them in a terminal. Any program can have written them, so every text is made safe.
enum NotificationText {
    /// - Parameter ids: Whether ids are whole on a terminal, too.
    static func list(_ rows: [JSONValue], ids: Bool) -> String {
        let all = rows.compactMap { RemoteNotification(wire: $0)?.id }
        let manyComputers = Set(rows.compactMap { $0["device"]?.stringValue }).count > 1
        var header = ["", "TIME", "APP", "TITLE", "TEXT", "ID"]
        if manyComputers { header.insert("COMPUTER", at: 2) }
        return Output.table(
            header,
            rows.compactMap { row in
                guard let notification = RemoteNotification(wire: row) else { return nil }
                var cells = [
                    mark(notification, isWaiting: row["waiting"]?.boolValue == true),
                    Output.when(notification.createdAt), notification.program ?? "", notification.title,
                    firstLine(notification.body),
                    ids ? notification.id : Output.shortID(notification.id, among: all),
                ]
                if manyComputers {
                    cells.insert(row["deviceName"]?.stringValue ?? row["device"]?.stringValue ?? "", at: 2)
                }
                return cells
            }
        )
    }

    /// Unread, wants to be noticed, waits for the computer.
    private static func mark(_ notification: RemoteNotification, isWaiting: Bool) -> String {
        (notification.isRead ? "" : "*") + (notification.priority >= .high ? "!" : "") + (isWaiting ? "…" : "")
    }

    private static func firstLine(_ text: String) -> String {
        String(text.split(whereSeparator: \.isNewline).first ?? "")
    }

    /// One line for something that is followed; nil for what no person needs to read.
    static func event(_ item: JSONValue) -> String? {
        if let row = item["new"], let notification = RemoteNotification(wire: row) {
            let place = [row["deviceName"]?.stringValue, notification.program].compactMap(\.self)
                .joined(separator: ", ")
            let mark = (notification.priority >= .high ? "! " : "") + (notification.isSilenced ? "(quiet) " : "")
            let body = notification.body.isEmpty ? "" : ": \(notification.body)"
            let time = Output.time(notification.createdAt)
            return TerminalText.line(
                "\(time)  \(mark)\(notification.title)\(body)\(place.isEmpty ? "" : " (\(place))")"
            )
        }
        if item["missed"] != nil { return "Some were missed. See them: tandem notifications list" }
        return nil
    }

    /// The outcome of sending a notification, no more than the computer says.
    static func sent(_ sent: NotificationSent) -> String {
        if sent.isSilenced { return "It is kept. Quiet hours: nothing was shown." }
        return switch sent.isShown {
        case true?: "It is shown at the computer, and its phones are told."
        case false?: "It is kept, and the computer's phones are told. The computer itself has no desktop that shows it."
        case nil: "It is sent."
        }
    }

    static func settings(_ settings: NotificationSettings) -> String {
        let quiet =
            settings.quietHours.map { "\($0.start)-\($0.end)" }
            ?? (settings.hasQuietHours ? "on, without both times" : "off")
        let hasHistory = settings.untold.isDisjoint(with: [.historyRows, .historyDays])
        return [
            "notifications: \(word(settings.isEnabled))",
            "quiet hours: \(quiet)" + (settings.urgentPasses && settings.hasQuietHours ? ", urgent ones pass" : ""),
            "sound: \(word(settings.hasSound))", "vibration: \(word(settings.vibrates))",
            "text in banners: \(word(settings.showsPreview))",
            settings.untold.contains(.mirrorsDesktop)
                ? nil : "programs of the desktop: \(word(settings.mirrorsDesktop))",
            hasHistory ? "history: \(settings.historyRows) notifications, \(settings.historyDays) days" : nil,
        ].compactMap(\.self).joined(separator: "\n")
    }

    /// Why a change was not made; nil where the computer has all settings that were to change.
    static func refusal(of missing: Set<NotificationSettings.Own>) -> String? {
        guard !missing.isEmpty else { return nil }
        let options = missing.map(\.option).sorted().joined(separator: ", ")
        return "The program on this computer has no such setting: \(options). Everything else was changed."
    }

    static func local(_ settings: LocalNotificationSettings) -> String {
        [
            "notifications: \(word(settings.enabled))", "sound: \(word(settings.sound))",
            "text in banners: \(word(settings.preview))",
        ].joined(separator: "\n")
    }

    private static func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    static func programs(_ programs: NotificationPrograms) -> String {
        var lines: [String] = []
        if !programs.programs.isEmpty {
            lines.append(
                Output.table(
                    ["APP", "TOLD", "KEPT", "LAST"],
                    programs.programs.map {
                        [$0.name, $0.isAllowed ? "yes" : "no", "\($0.count)", Output.when($0.lastAt)]
                    }
                )
            )
        } else if programs.isAvailable {
            lines.append("No program has shown anything yet.")
        }
        if let reason = programs.reason { lines.append(TerminalText.line(reason)) }
        return lines.joined(separator: "\n")
    }

    /// - Parameter named: Whether the person gave their ids.
    static func marked(_ marked: NotificationsControl.Marked, _ verb: String, named: Bool) -> String {
        if marked.queued { return "It will be done when the computer is there." }
        guard marked.count == 0, named else { return "\(marked.count) \(verb)." }
        return "0 \(verb): it was done before, or there is none with that id. See them: tandem notifications list"
    }
}

extension NotificationSettings.Own {
    /// The option that changes it.
    fileprivate var option: String {
        switch self {
        case .urgentPasses: "--urgent"
        case .mirrorsDesktop: "--mirror"
        case .historyRows: "--keep"
        case .historyDays: "--days"
        }
    }
}
