import ArgumentParser
import Foundation
import Kernel

struct SystemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "system",
        abstract: "How a paired computer is doing: processor, memory, disks, network and more.",
        discussion: "For example: tandem system, or: tandem system services"
    )

    enum Topic: String, CaseIterable, ExpressibleByArgument {
        case info, cpu, memory, os, uptime, battery, temperature, hardware, performance, services, logs

        var method: String {
            switch self {
            case .info: "system.info"
            case .cpu: "sysinfo.getCPU"
            case .os: "sysinfo.getOS"
            default: "sysinfo.get" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
            }
        }
    }

    @OptionGroup var remote: RemoteOptions
    @Option(help: "Of services and logs: at most so many.") var limit: Int = 50
    @Argument(help: "What to show.") var topic: Topic = .info

    func run() async throws {
        let isLong = topic == .services || topic == .logs
        let answer = try await remote.call(topic.method, isLong ? ["limit": .integer(Int64(limit))] : [:])
        Output.result(answer, as: remote.global.json) { Self.lines($0).joined(separator: "\n") }
    }

    /// `name: value`, nested objects indented. Sizes are bytes on the wire; a person reads them with a unit.
    private static func lines(_ value: JSONValue, indent: String = "") -> [String] {
        (value.objectValue ?? [:]).sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
            switch value {
            case .null: []
            case .object: ["\(indent)\(key):"] + lines(value, indent: indent + "  ")
            case .array(let values): ["\(indent)\(key):"] + values.flatMap { item(of: $0, indent: indent + "  ") }
            default: ["\(indent)\(key): \(text(value, named: key))"]
            }
        }
    }

    private static func item(of value: JSONValue, indent: String) -> [String] {
        guard value.objectValue != nil else { return ["\(indent)- \(text(value, named: ""))"] }
        var lines = lines(value, indent: indent + "  ")
        guard let first = lines.first else { return [] }
        lines[0] = indent + "- " + first.trimmingCharacters(in: .whitespaces)
        return lines
    }

    private static func text(_ value: JSONValue, named name: String) -> String {
        let sizes: Set = ["total", "used", "free", "available", "bytesSent", "sent", "bytesReceived", "received"]
        if sizes.contains(name), let bytes = value.integerValue {
            return Output.size(bytes)
        }
        if name == "timestamp" { return Output.time(value.integerValue) }
        return value.stringValue ?? value.canonicalText
    }
}
