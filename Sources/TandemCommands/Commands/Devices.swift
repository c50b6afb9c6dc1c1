import ArgumentParser
import Control
import Foundation
import Kernel
import Rights
import Terminal

struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The paired devices, and what each may do.",
        subcommands: [List.self, Show.self, Forget.self, Allow.self, Deny.self, Audit.self],
        defaultSubcommand: List.self
    )

    struct Options: ParsableArguments {
        @OptionGroup var global: GlobalOptions
        @OptionGroup var role: RoleOptions

        func chosenRole() async throws -> Role { try await role.role(among: [.desktop, .phone], global) }

        func call(_ method: String, _ params: JSONValue = .object([:])) async throws -> JSONValue {
            try await global.client(for: chosenRole()).call(method, params)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the paired devices, last seen first.")
        @OptionGroup var options: Options

        func run() async throws {
            let role = try await options.chosenRole()
            let answer = try await options.global.client(for: role).call("devices.list")
            try Output.result(answer, as: options.global.json) { answer in
                let devices = answer["devices"]?.arrayValue ?? []
                guard !devices.isEmpty else {
                    return "No device is paired. Pair one with: tandem pair \(role == .phone ? "scan" : "show")"
                }
                // A phone shows what each computer allows it, as far as that one said.
                return Output.table(
                    ["NAME", "PLATFORM", "PATH", "SEALED", "LAST SEEN", "ID"] + (role == .phone ? ["ALLOWED"] : []),
                    devices.map { device in
                        [
                            device["name"]?.stringValue ?? "", device["platform"]?.stringValue ?? "",
                            device["path"]?.stringValue ?? "away",
                            device["endToEnd"]?.boolValue == true ? "yes" : "NO, insecure",
                            Output.time(device["lastSeenAt"]?.integerValue), device["id"]?.stringValue ?? "",
                        ] + (role == .phone ? [Devices.allowed(device)] : [])
                    }
                )
            }
        }
    }

    private static func allowed(_ device: JSONValue) -> String {
        guard let names = device["allowed"]?.arrayValue?.compactMap(\.stringValue) else { return "not known" }
        return names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show all that is known of one device.")
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String

        func run() async throws {
            let answer = try await options.call("devices.show", ["id": .string(device)])
            try Output.result(answer, as: options.global.json) { answer in
                Output.members(answer)
            }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a device. It is told, and must be paired again before it can do anything."
        )
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String

        func run() async throws {
            let answer = try await options.call("devices.forget", ["id": .string(device)])
            try Output.result(answer, as: options.global.json) { answer in
                "Forgot \(answer["name"]?.stringValue ?? device)." + Devices.ended(answer)
            }
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Trust a phone with more than a new one may do.",
            usage: "tandem devices allow [<device>] <right> ...",
            discussion: Devices.discussion + """


                With --role phone: what this phone may use at a computer that was paired without sealing.
                """
        )
        @OptionGroup var options: Options
        @Flag(help: "Also for commands that a phone neither seals nor signs, on this computer's own network only.")
        var unsigned = false
        @Argument(
            help: ArgumentHelp(
                "The device's id or name, where several are paired, then the rights.",
                valueName: "right"
            )
        )
        var words: [String]

        func run() async throws {
            let grant = try Grant(words)
            if unsigned { try await UnsignedWarning.confirm(grant.rights) }
            let role = try await options.chosenRole()
            let answer = try await options.global.client(for: role).call(
                "devices.allow",
                grant.params.adding("unsigned", .bool(unsigned))
            )
            if let refused = UnsignedWarning.stillRefused(answer) { Output.complain(refused) }
            try Output.result(answer, as: options.global.json) { answer in
                let (name, changed, rest) = Grant.read(answer)
                if role == .phone { return Grant.inTheClear(changed.union(rest), at: name) }
                let before = rest.isEmpty ? "" : "\nAs before:\n\(Live.rights.table(of: rest))"
                return changed.isEmpty
                    ? "\(name) could do that already. All it can do:\n\(Live.rights.table(of: rest))"
                    : "\(name) can now:\n\(Live.rights.table(of: changed))\(before)"
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
            let client = options.global.client(for: role)
            let keeps = try await keepsShells(of: grant, at: role)
            let answer = try await client.call("devices.deny", grant.params.adding("keepShells", .bool(keeps)))
            try Output.result(answer, as: options.global.json) { answer in
                let (name, changed, rest) = Grant.read(answer)
                if role == .phone { return Grant.inTheClear(rest, at: name) }
                let left = rest.isEmpty ? "It can do nothing." : "What it still can:\n\(Live.rights.table(of: rest))"
                let denied =
                    changed.isEmpty
                    ? "\(name) could not do that before. \(left)"
                    : "\(name) can no longer:\n\(Live.rights.table(of: changed))\n\(left)"
                return denied + Devices.ended(answer)
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
            let list = try await options.global.client(for: role).call(
                "activity.list",
                ["id": grant.device.map(JSONValue.string) ?? .null]
            )
            let shells = (list["activities"]?.arrayValue ?? []).filter { $0["kind"] == "terminal" }
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

        func run() async throws {
            let client = options.global.client(for: try await options.role.role(among: [.desktop], options.global))
            let answer = try await client.call("devices.audit", ["limit": .integer(Int64(limit))])
            try Output.result(answer, as: options.global.json) { answer in
                let entries = answer["entries"]?.arrayValue ?? []
                guard !entries.isEmpty else { return "No device has done anything worth noting." }
                return Output.table(
                    ["WHEN", "BY", "DEVICE", "WHAT", "TIMES", "OUTCOME"],
                    entries.map { entry in
                        [
                            Output.time(entry["at"]?.integerValue),
                            entry["by"] == "owner" ? "you" : "the device", entry["name"]?.stringValue ?? "",
                            [entry["method"]?.stringValue, entry["detail"]?.stringValue].compactMap(\.self)
                                .joined(separator: " "),
                            String(entry["count"]?.integerValue ?? 1),
                            [entry["outcome"]?.stringValue, entry["reason"]?.stringValue].compactMap(\.self)
                                .joined(separator: ": "),
                        ]
                    }
                )
            }
        }
    }

    /// What ended because of it, to be added to a sentence; empty for nothing.
    private static func ended(_ answer: JSONValue) -> String {
        let ended = answer["ended"]?.arrayValue ?? []
        return ended.isEmpty ? "" : "\nEnded with it:\n" + ActivityCommand.table(ended)
    }

    private static let discussion = """
        The rights, and what a phone can do that has them:

        \(Live.rights.table(of: Live.rights.all))

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

    var params: JSONValue {
        [
            "id": device.map(JSONValue.string) ?? .null,
            "skills": .array(Live.rights.sorted(rights).map { .string($0.rawValue) }),
        ]
    }

    /// What a phone uses at a computer that cannot seal.
    static func inTheClear(_ rights: Set<Right>, at computer: String) -> String {
        let names = Live.rights.sorted(rights).map(\.rawValue).joined(separator: ", ")
        let direct = Live.rights.declarations.filter(\.needsDirectWay).map(\.right.rawValue).joined(separator: ", ")
        return """
            This phone may use at \(computer), where everybody on the way can read and change it: \(names.isEmpty ? "nothing" : names).
            Of these \(direct) go there only directly, never through a relay.
            """
    }

    /// Whose rights were changed, which, and which others it has.
    static func read(_ answer: JSONValue) -> (name: String, changed: Set<Right>, rest: Set<Right>) {
        func rights(_ member: String) -> Set<Right> {
            Right.stored((answer[member]?.arrayValue ?? []).compactMap(\.stringValue))
        }
        let changed = rights("changed")
        return (answer["name"]?.stringValue ?? "", changed, rights("skills").subtracting(changed))
    }
}
