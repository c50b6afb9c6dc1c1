import ArgumentParser
import CommandServer
import Control
import Foundation
import Kernel
import Pairing
import Rights
import Terminal

struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The paired devices, and what each may do.",
        subcommands: [
            List.self, Show.self, Rename.self, Forget.self, Allow.self, Deny.self, Ask.self, Asks.self, Refuse.self,
            Audit.self,
        ],
        defaultSubcommand: List.self
    )

    struct Options: ParsableArguments {
        @OptionGroup var global: GlobalOptions
        @OptionGroup var role: RoleOptions

        func chosenRole() async throws -> Role { try await role.role(among: [.desktop, .phone], global) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the paired devices, last seen first.")
        @OptionGroup var options: Options
        @Flag(help: "Whole ids, too: commands take names and the beginnings of ids as well.") var ids = false

        func run() async throws {
            let role = try await options.chosenRole()
            try await options.global.show(DeviceControl.list, of: role) { list in
                guard !list.devices.isEmpty else {
                    return "No device is paired. Pair one with: tandem pair \(role == .phone ? "scan" : "show")"
                }
                return DeviceText.list(list.devices, of: role, ids: ids)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show all that is known of one device.")
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String

        func run() async throws {
            let role = try await options.chosenRole()
            try await options.global.show(DeviceControl.show, DeviceName(device), of: role) {
                DeviceText.all(of: $0, at: role)
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a device another name on this machine.")
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String
        @Argument(help: "The new name, 1 to 128 characters.") var name: String

        func run() async throws {
            let role = try await options.chosenRole()
            try await options.global.show(DeviceControl.rename, NewDeviceName(device, name: name), of: role) {
                "It is called \($0.name) here now."
            }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a device. It is told, and must be paired again before it can do anything.",
            discussion: "A computer that cannot be told now lists the phone until that is forgotten there, too."
        )
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String

        func run() async throws {
            let role = try await options.chosenRole()
            try await options.global.show(DeviceControl.forget, DeviceName(device), of: role) {
                "Forgot \($0.name)." + Devices.ended($0.ended) + Devices.untold($0)
            }
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Trust a phone with more than a new one may do.",
            usage: """
                tandem devices allow [<device>] <right> ... [--for <time>]
                tandem devices allow [<device>] --preset <preset>
                """,
            discussion: Devices.discussion + """


                With --role phone: what this phone may use at a computer that was paired without sealing.
                """
        )
        @OptionGroup var options: Options
        @Flag(help: "Also for commands that a phone neither seals nor signs, on this computer's own network only.")
        var unsigned = false
        @Option(
            name: .customLong("for"),
            help: ArgumentHelp(
                "Only for this time, 5m to 30d: the rights end then by themselves. Allow again to change it.",
                valueName: "time"
            )
        )
        var time: RightTime?
        @Option(
            help: ArgumentHelp(
                "In place of rights: look, to look and change nothing, or all, as you do. Other rights are taken back, "
                    + "but not with --for.",
                valueName: "preset"
            )
        )
        var preset: RightPreset?
        @Argument(
            help: ArgumentHelp(
                "The device's id or name, where several are paired, then the rights.",
                valueName: "right"
            )
        )
        var words: [String] = []

        func validate() throws {
            guard preset != nil else {
                guard !words.isEmpty else { throw ValidationError("Name the rights, or a --preset.") }
                return
            }
            guard words.count <= 1, !unsigned else {
                throw ValidationError("With --preset only the device is named, and it goes without --unsigned.")
            }
        }

        func run() async throws {
            if let preset { return try await give(preset) }
            let grant = try Grant(words)
            if unsigned { try await UnsignedWarning.confirm(grant.rights) }
            let role = try await options.chosenRole()
            let change = RightsChange(
                id: grant.device,
                skills: grant.names,
                unsigned: unsigned,
                seconds: time?.seconds
            )
            let wire = try await options.global.client(for: role).call(DeviceControl.allow.asWire, change)
            if let refused = UnsignedWarning.stillRefused(try wire.controlAnswer()) { Output.complain(refused) }
            try Output.result(wire, as: options.global.json) { (device: DeviceEntry) in
                let (name, changed, rest) = Grant.read(device)
                if role == .phone { return Grant.inTheClear(changed.union(rest), at: name) }
                let before = rest.isEmpty ? "" : "\nAs before:\n\(Output.table(of: rest))"
                return changed.isEmpty
                    ? "\(name) could do that already. All it can do:\n\(Output.table(of: rest))\(Devices.endings(device))"
                    : "\(name) can now:\n\(Output.table(of: changed))\(before)\(Devices.endings(device))"
            }
        }

        private func give(_ preset: RightPreset) async throws {
            let change = RightsChange(id: words.first, skills: [], seconds: time?.seconds, preset: preset.rawValue)
            try await options.global.show(DeviceControl.allow, change, of: .desktop) { device in
                let lost = device.lost ?? []
                let less = lost.isEmpty ? "" : "\nIt can no longer:\n\(Output.table(of: lost))"
                return "\(device.name) can \(preset.meaning):\n\(Output.table(of: device.skills))\(less)"
                    + Devices.endings(device) + Devices.ended(device.ended)
            }
        }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take rights back from a phone.",
            usage: "tandem devices deny [<device>] <right> ...",
            discussion: Devices.discussion
        )
        @OptionGroup var options: Options
        @Argument(
            help: ArgumentHelp(
                "The device's id or name, where several are paired, then the rights.",
                valueName: "right"
            )
        )
        var words: [String]
        @Flag(help: "With terminal: leave the phone's shells running, without the phone. They are ended otherwise.")
        var keepShells = false

        func run() async throws {
            let grant = try Grant(words)
            let role = try await options.chosenRole()
            let keeps = try await keepsShells(of: grant, at: role)
            let change = RightsChange(id: grant.device, skills: grant.names, keepShells: keeps)
            try await options.global.show(DeviceControl.deny, change, of: role) { device in
                let (name, changed, rest) = Grant.read(device)
                if role == .phone { return Grant.inTheClear(rest, at: name) }
                let left = rest.isEmpty ? "It can do nothing." : "What it still can:\n\(Output.table(of: rest))"
                let denied =
                    changed.isEmpty
                    ? "\(name) could not do that before. \(left)"
                    : "\(name) can no longer:\n\(Output.table(of: changed))\n\(left)"
                return denied + Devices.ended(device.ended)
            }
        }

        /// Asks where a person can answer; shells end otherwise, which is the safe way.
        func keepsShells(
            of grant: Grant,
            at role: Role = .desktop,
            canAsk: Bool = Running.console.canAsk,
            say: (String) -> Void = Output.complain,
            answer: () async -> String? = StandardInput.line
        ) async throws -> Bool {
            let asks = role == .desktop && !keepShells && !options.global.json && canAsk
            guard asks, grant.rights.contains(.terminal) else { return keepShells }
            let list = try await options.global.client(for: role)
                .call(DeviceControl.activities, DeviceChoice(grant.device))
            let shells = list.activities.filter { $0.kind == "terminal" }
            guard !shells.isEmpty else { return false }
            say(ActivityCommand.table(shells))
            say("End \(shells.count == 1 ? "this shell" : "these shells") too? [Y/n]")
            return ["n", "no"].contains(await answer()?.lowercased().trimmingCharacters(in: .whitespaces))
        }
    }

    struct Audit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Who did what at this computer, newest first; never with what was written or read."
        )
        @OptionGroup var options: Options
        @Option(help: ArgumentHelp("At most so many entries, 1 to 1000.", valueName: "count")) var limit: Int = 50
        @Option(help: ArgumentHelp("Only of this phone.", valueName: "id or name")) var device: String?
        @Option(help: ArgumentHelp("Only what came out so: begun, done, refused or failed.", valueName: "word"))
        var outcome: String?
        @Option(help: ArgumentHelp("Only what the phone or the owner did.", valueName: "who")) var by: String?

        func run() async throws {
            let role = try await options.role.role(among: [.desktop], options.global)
            let query = AuditQuery(limit: limit, id: device, outcome: outcome, by: by)
            let method = ControlMethod<AuditQuery, AuditPage>.audit
            try await options.global.show(method, query, of: role) { page in
                guard !page.entries.isEmpty else { return "No device has done anything worth noting." }
                return Output.table(
                    ["WHEN", "BY", "DEVICE", "WHAT", "TIMES", "OUTCOME"],
                    page.entries.map {
                        [
                            Output.when($0.date.millisecondsSince1970), $0.actor == .owner ? "you" : "the device",
                            $0.name, [$0.method, $0.detail].compactMap(\.self).joined(separator: " "), "\($0.count)",
                            [$0.outcome.word, $0.reason].compactMap(\.self).joined(separator: ": "),
                        ]
                    }
                )
            }
        }
    }

    /// The activities that ended because of it, to be added to a sentence; empty for nothing.
    private static func ended(_ activities: [ActivityEntry]?) -> String {
        guard let activities, !activities.isEmpty else { return "" }
        return "\nEnded with it:\n" + ActivityCommand.table(activities)
    }

    /// The step that is left at a computer that could not be told, to be added to a sentence; empty for nothing.
    private static func untold(_ device: ForgottenDevice) -> String {
        guard let command = device.untold else { return "" }
        return " It could not be told, and lists this phone until its owner forgets it there: \(command)"
    }

    private static let discussion = """
        The rights, and what a phone can do that has them:

        \(Output.table(of: Live.rights.all, width: 79))

        file means both rights that begin with it. A new phone has the first two. The device can be left out while one phone is paired.
        """
}

/// A phone and rights, as they are typed: the phone comes first, and can be left out.
struct Grant {
    let device: String?
    let rights: Set<Right>

    /// - Throws: ``RightsError``.
    init(_ words: [String]) throws(RightsError) {
        // A device is followed by rights; a word alone can only be a right.
        let namesDevice = words.count > 1 && words.first.map { (try? Live.rights.list([$0])) == nil } ?? false
        device = namesDevice ? words.first : nil
        rights = try Live.rights.list(words.dropFirst(namesDevice ? 1 : 0))
    }

    var names: [String] { Live.rights.sorted(rights).map(\.rawValue) }

    /// The rights that a phone uses at a computer that cannot seal.
    static func inTheClear(_ rights: Set<Right>, at computer: String) -> String {
        let names = Live.rights.sorted(rights).map(\.rawValue).joined(separator: ", ")
        let direct = Live.rights.declarations.filter(\.needsDirectWay).map(\.right.rawValue).joined(separator: ", ")
        return """
            This phone may use at \(computer), where everybody on the way can read and change it: \(names.isEmpty ? "nothing" : names).
            Of these \(direct) go there only directly, never through a relay.
            """
    }

    /// The device's name, the rights that were changed, and its other rights.
    static func read(_ device: DeviceEntry) -> (name: String, changed: Set<Right>, rest: Set<Right>) {
        let changed = Set(device.changed ?? [])
        return (device.name, changed, Set(device.skills).subtracting(changed))
    }
}
