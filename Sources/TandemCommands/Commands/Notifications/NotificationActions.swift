import ArgumentParser
import Commands
import Control
import Kernel
import Notifications

extension NotificationsCommand {
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show something at the computer and tell its phones, or tell phones only.",
            discussion: """
                For example: tandem notifications send "Backup" "It is done." --priority low, or: make 2>&1 | tail -3 | tandem notifications \
                send Build. The text is what comes on stdin where none is given and stdin is no terminal.
                """
        )

        @OptionGroup var options: NotificationOptions
        @Option(help: ArgumentHelp("low, normal, high or urgent.", valueName: "word"))
        var priority: PriorityChoice = .normal
        @Flag(help: "Show it in quiet hours, too.") var always = false
        @Option(help: ArgumentHelp("Replace the one that was sent under this key.", valueName: "text")) var key: String?
        @Option(help: ArgumentHelp("An icon's name.", valueName: "name")) var icon: String?
        @Option(
            help: ArgumentHelp("Something beside the text. May be said several times.", valueName: "name=text")
        )
        var data: [String] = []
        @Option(help: ArgumentHelp("Only this phone of the computer, by its id.", valueName: "device"))
        var phone: String?
        @Flag(help: "Only its phones, all of them.") var phones = false
        @Argument(help: "The title.") var title: String
        @Argument(help: "The text.") var body: String?

        func validate() throws {
            guard phone == nil || !phones else { throw ValidationError("Give one of --phone and --phones.") }
            let isToPhones = phone != nil || phones
            guard !isToPhones || (!always && key == nil && icon == nil) else {
                throw ValidationError("--always, --key and --icon are for what the computer shows.")
            }
            for entry in data where !entry.contains("=") {
                throw ValidationError("--data is a name, = and a text, not \(entry).")
            }
        }

        func run() async throws {
            let text = try await text()
            var data: [String: String] = [:]
            for entry in self.data {
                let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                data[String(parts[0])] = String(parts[1])
            }
            guard phone != nil || phones else {
                let new = NewNotification(
                    title: title,
                    body: text,
                    priority: priority.priority,
                    respectsQuietHours: !always,
                    icon: icon,
                    key: key,
                    data: data
                )
                return try await options.show(
                    { try await $0.send(new) },
                    refusal: { sent in sent.id == nil ? sent.reason : nil }
                ) { NotificationText.sent($0) }
            }
            let forwarded = ForwardedNotification(
                title: title,
                body: text,
                priority: priority.priority,
                devices: phone.map { [$0] } ?? [],
                data: data
            )
            let isOne = phone != nil
            try await options.show(
                { try await isOne ? $0.sendToMobile(forwarded) : $0.broadcast(forwarded) },
                refusal: { delivery in
                    delivery.deliveredCount > 0 || delivery.isHandedOver
                        ? nil : delivery.reason ?? "No phone could be told."
                }
            ) { delivery in
                guard !delivery.isHandedOver else {
                    return "It is handed over. The computer does not say which phones it told."
                }
                let failed = delivery.failedCount > 0 ? " \(delivery.failedCount) cannot be told." : ""
                return "\(delivery.deliveredCount) told, or told when they are there.\(failed)"
            }
        }

        private func text() async throws -> String {
            if let body { return body }
            guard !Running.console.isTerminal(.input) else { return "" }
            var bytes: [UInt8] = []
            for await piece in StandardInput() {
                bytes += piece
                guard bytes.count <= NotificationLimits.body else {
                    throw ValidationError("A notification's text has at most \(NotificationLimits.body) bytes.")
                }
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ValidationError("Text must be UTF-8.")
            }
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }

    struct Sources: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Whose notifications of the computer's desktop are told, and change that."
        )

        @OptionGroup var options: NotificationOptions
        @Option(help: ArgumentHelp("Tell what this program shows.", valueName: "app")) var allow: String?
        @Option(help: ArgumentHelp("Do not tell what this program shows.", valueName: "app")) var deny: String?

        func validate() throws {
            guard allow == nil || deny == nil else { throw ValidationError("Give one of --allow and --deny.") }
        }

        func run() async throws {
            try await options.show({ client in
                guard let name = allow ?? deny else { return try await client.sources() }
                return try await client.setSource(name, isAllowed: allow != nil)
            }) { NotificationText.programs($0) }
        }
    }

    struct Act: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Press a button of a notification at the computer, or answer it.",
            discussion: """
                From a phone the computer must allow it first: tandem devices allow <phone> \(NotificationMethods.act.name)
                """
        )

        @OptionGroup var options: NotificationOptions
        @Argument(help: ArgumentHelp("The notification's id, or the beginning of it.", valueName: "id")) var id: String
        @Option(
            help: ArgumentHelp(
                "The button, by its id. Left out without --reply: the notification itself.",
                valueName: "button"
            )
        )
        var action: String?
        @Option(help: ArgumentHelp("An answer, where its program takes one.", valueName: "text")) var reply: String?

        func run() async throws {
            let whole = try await NotificationsCommand.whole([id], try await options.peer())[0]
            let press = NotificationPress(id: whole, action: action ?? (reply == nil ? "default" : nil), reply: reply)
            try await options.show({ try await $0.act(press) }) { "Done." }
        }
    }

    struct SettingsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "How a computer's notifications behave, and change that. With --here: how this phone shows them.",
            discussion:
                "For example: tandem notifications settings --quiet 22:00-08:00, or: tandem notifications settings --quiet off"
        )

        @OptionGroup var options: NotificationOptions
        @Flag(help: "This phone's own: --enabled, --sound and --preview.") var here = false
        @Option(help: ArgumentHelp("Keep and tell notifications.", valueName: "on|off")) var enabled: Switch?
        @Option(help: ArgumentHelp("Quiet hours by the computer's clock, or on, or off.", valueName: "22:00-08:00"))
        var quiet: QuietChoice?
        @Option(help: ArgumentHelp("Show urgent ones in quiet hours.", valueName: "on|off")) var urgent: Switch?
        @Option(help: ArgumentHelp("Sound.", valueName: "on|off")) var sound: Switch?
        @Option(help: ArgumentHelp("Vibration.", valueName: "on|off")) var vibration: Switch?
        @Option(help: ArgumentHelp("Text in banners.", valueName: "on|off")) var preview: Switch?
        @Option(help: ArgumentHelp("Tell what programs of the desktop show.", valueName: "on|off")) var mirror: Switch?
        @Option(help: ArgumentHelp("Keep at most so many, 10 to 1000000.", valueName: "count")) var keep: Int?
        @Option(help: ArgumentHelp("Keep them so many days, 1 to 3650.", valueName: "count")) var days: Int?

        func validate() throws {
            let others =
                [urgent, vibration, mirror].contains { $0 != nil } || quiet != nil || keep != nil || days != nil
            guard !here || !others else { throw ValidationError("--here goes with --enabled, --sound and --preview.") }
            if let keep, !NotificationLimits.historyRows.contains(Int64(keep)) {
                throw ValidationError("--keep is 10 to 1000000, not \(keep).")
            }
            if let days, !NotificationLimits.historyDays.contains(Int64(days)) {
                throw ValidationError("--days is 1 to 3650, not \(days).")
            }
        }

        func run() async throws {
            guard !here else { return try await showLocal() }
            var change = NotificationSettingsChange()
            change.isEnabled = enabled?.isOn
            change.urgentPasses = urgent?.isOn
            change.hasSound = sound?.isOn
            change.vibrates = vibration?.isOn
            change.showsPreview = preview?.isOn
            change.mirrorsDesktop = mirror?.isOn
            change.historyRows = keep
            change.historyDays = days
            switch quiet {
            case .off: change.hasQuietHours = false
            case .on: change.hasQuietHours = true
            case .hours(let hours):
                change.hasQuietHours = true
                change.quietStart = hours.start
                change.quietEnd = hours.end
            case nil: break
            }
            let wanted = change
            try await options.show(
                { client in
                    wanted == NotificationSettingsChange()
                        ? try await client.getSettings() : try await client.updateSettings(wanted)
                },
                refusal: { NotificationText.refusal(of: wanted.missing(in: $0)) }
            ) { NotificationText.settings($0) }
        }

        private func showLocal() async throws {
            let peer = try await options.peer()
            guard peer.role == .phone else { throw ValidationError("--here is for --role phone.") }
            let change = NotificationsControl.LocalChange(
                enabled: enabled?.isOn,
                sound: sound?.isOn,
                preview: preview?.isOn
            )
            let wire = try await peer.control.call(NotificationsControl.local.asWire, change)
            try Output.result(wire, as: options.global.json) { NotificationText.local($0) }
        }
    }
}

/// A priority, as a person types it.
enum PriorityChoice: String, ExpressibleByArgument, CaseIterable {
    case low, normal, high, urgent

    var priority: NotificationPriority { NotificationPriority(word: rawValue) }
}

/// A switch, on or off, as a person types it.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off

    var isOn: Bool { self == .on }
}

/// Quiet hours, as a person types them.
enum QuietChoice: ExpressibleByArgument, Hashable {
    case off
    /// The quiet hours as they were set last.
    case on
    case hours(QuietHours)

    init?(argument: String) {
        if let known = ["on": Self.on, "off": .off][argument] {
            self = known
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        // 8:00 is 08:00.
        let times = parts.compactMap {
            TimeOfDay(
                $0.firstIndex(of: ":") == $0.index($0.startIndex, offsetBy: 1, limitedBy: $0.endIndex)
                    ? "0\($0)" : String($0)
            )
        }
        guard parts.count == 2, times.count == 2 else { return nil }
        let (start, end) = (times[0], times[1])
        self = .hours(QuietHours(start: start, end: end))
    }
}
