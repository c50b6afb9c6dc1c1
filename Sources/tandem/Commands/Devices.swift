import ArgumentParser
import Control
import Foundation
import Kernel

struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The paired devices, and what each may do.",
        subcommands: [List.self, Show.self, Forget.self, Allow.self, Deny.self, Audit.self],
        defaultSubcommand: List.self
    )

    struct Options: ParsableArguments {
        @OptionGroup var global: GlobalOptions

        @Option(name: [.customLong("as")], help: "Whose list: desktop or phone.")
        var role: Role = .desktop

        func call(_ method: String, _ params: JSONValue = .object([:])) async throws -> JSONValue {
            try await global.client(for: role).call(method, params)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the paired devices, last seen first.")
        @OptionGroup var options: Options

        func run() async throws {
            let answer = try await options.call("devices.list")
            Output.result(answer, as: options.global.json) { answer in
                let devices = answer["devices"]?.arrayValue ?? []
                guard !devices.isEmpty else { return "No device is paired. Pair one with: tandem pair show" }
                return Output.table(
                    ["NAME", "PLATFORM", "PATH", "SEALED", "LAST SEEN", "ID"],
                    devices.map { device in
                        [
                            device["name"]?.stringValue ?? "", device["platform"]?.stringValue ?? "",
                            device["path"]?.stringValue ?? "away",
                            device["endToEnd"]?.boolValue == true ? "yes" : "no",
                            Output.time(device["lastSeenAt"]?.integerValue), device["id"]?.stringValue ?? "",
                        ]
                    }
                )
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show all that is known of one device.")
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String

        func run() async throws {
            let answer = try await options.call("devices.show", ["id": .string(device)])
            Output.result(answer, as: options.global.json) { answer in
                let members = (answer.objectValue ?? [:]).sorted { $0.key < $1.key }
                return members.map { "\($0.key): \($0.value.stringValue ?? $0.value.canonicalText)" }.joined(
                    separator: "\n"
                )
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
            Output.result(answer, as: options.global.json) { "Forgot \($0["name"]?.stringValue ?? device)." }
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Trust a phone with skills that can do whatever you can, for example terminal."
        )
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String
        @Argument(help: "The skills, for example: terminal files-write.") var skills: [String]

        func run() async throws {
            let answer = try await options.call(
                "devices.allow",
                ["id": .string(device), "skills": .array(skills.map(JSONValue.string))]
            )
            Output.result(answer, as: options.global.json, Devices.describeSkills)
        }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take skills back from a phone.")
        @OptionGroup var options: Options
        @Argument(help: "The device's id or name.") var device: String
        @Argument(help: "The skills to take back.") var skills: [String]

        func run() async throws {
            let answer = try await options.call(
                "devices.deny",
                ["id": .string(device), "skills": .array(skills.map(JSONValue.string))]
            )
            Output.result(answer, as: options.global.json, Devices.describeSkills)
        }
    }

    struct Audit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Who did what at this computer, newest first; never with what was written or read."
        )
        @OptionGroup var options: Options
        @Option(help: "At most so many entries, 1 to 1000.") var limit: Int = 50

        func run() async throws {
            let answer = try await options.call("devices.audit", ["limit": .integer(Int64(limit))])
            Output.result(answer, as: options.global.json) { answer in
                let entries = answer["entries"]?.arrayValue ?? []
                guard !entries.isEmpty else { return "No device has done anything worth noting." }
                return Output.table(
                    ["WHEN", "DEVICE", "METHOD", "RISK", "TIMES", "OUTCOME"],
                    entries.map { entry in
                        [
                            Output.time(entry["at"]?.integerValue), entry["name"]?.stringValue ?? "",
                            entry["method"]?.stringValue ?? "", entry["risk"]?.stringValue ?? "",
                            String(entry["count"]?.integerValue ?? 1),
                            [entry["outcome"]?.stringValue, entry["code"]?.integerValue.map(String.init)]
                                .compactMap(\.self).joined(separator: " "),
                        ]
                    }
                )
            }
        }
    }

    private static func describeSkills(_ answer: JSONValue) -> String {
        let skills = (answer["skills"]?.arrayValue ?? []).compactMap(\.stringValue)
        let name = answer["name"]?.stringValue ?? ""
        return skills.isEmpty
            ? "\(name) may do only what every paired device may."
            : "\(name) may also use: \(skills.joined(separator: ", "))."
    }
}
