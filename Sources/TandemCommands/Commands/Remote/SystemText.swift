import Foundation
import Kernel
import SystemInfo

/// A computer's state as a person reads it. What it says is made safe for a terminal where rows and tables are put together.
enum SystemText {
    struct Overview {
        var summary: SystemSummary
        var system: OperatingSystemFacts?
        var hardware: HardwareAnswer?
        var batteries: [BatteryFacts]?
        var temperature: TemperatureAnswer?
    }

    /// One row of a list with a name and what there is to say.
    private typealias Row = (name: String, text: String?)

    static func overview(_ overview: Overview) -> String? {
        let (summary, system) = (overview.summary, overview.system)
        let hardware = overview.hardware?.hardware
        let machine = joined([hardware?.manufacturer, hardware?.model], by: " ")
        let rows: [Row] = [
            ("Computer", joined([system?.hostName, machine])),
            ("System", system.flatMap { joined([$0.name, joined([$0.kernel, $0.architecture], by: " ")]) }),
            ("Up", up(summary.uptime)), ("Processor", processor(summary)), ("Memory", use(of: summary.memory)),
            ("Battery", overview.batteries?.first.flatMap(battery)),
            ("Temperature", overview.temperature.flatMap(temperature)),
        ]
        return joined([list(rows), disks(summary.disks), networks(summary.networks)], by: "\n\n")
    }

    static func processor(_ answer: ProcessorAnswer) -> String? {
        let processor = answer.processor
        return list([
            ("Processor", processor.model), ("Use", answer.usage.map(bar)),
            ("Cores", cores(processor.cores, processor.physicalCores)), ("Speed", processor.speedMHz.map(speed)),
            ("Load", load(processor.load)),
        ])
    }

    static func memory(_ facts: MemoryFacts) -> String? {
        list([
            ("Memory", use(of: facts)), ("Free", size(facts.available)), ("Cached", size(facts.cached)),
            ("Swap", share(facts.swapUsed, of: facts.swapTotal)),
        ])
    }

    static func system(_ system: OperatingSystemFacts) -> String? {
        list([
            ("Computer", system.hostName), ("System", system.name), ("Version", system.version),
            ("Kernel", system.kernel), ("Architecture", system.architecture),
        ])
    }

    static func uptime(_ answer: UptimeAnswer) -> String? {
        list([("Up", duration(answer.seconds)), ("Since", answer.bootTime.map(Output.time))])
    }

    static func hardware(_ answer: HardwareAnswer) -> String? {
        let hardware = answer.hardware
        let rows: [Row] = [
            ("Maker", hardware.manufacturer), ("Model", hardware.model), ("Board", hardware.board),
            ("Firmware", hardware.firmware), ("Processor", joined([answer.processorModel, cores(answer.cores)])),
            ("Memory", answer.memoryTotal == 0 ? nil : size(answer.memoryTotal)),
        ]
        return joined([list(rows), disks(answer.disks)], by: "\n\n")
    }

    static func performance(_ answer: PerformanceAnswer) -> String? {
        list([
            ("Processor", answer.usage.map(bar)),
            ("Memory", answer.memory.map(use) ?? answer.memoryUsage.map { bar(Double($0)) }),
            ("Load", load(answer.load)), ("Up", up(answer.uptime)),
        ])
    }

    // MARK: One row each

    private static func processor(_ summary: SystemSummary) -> String? {
        let processor = summary.processor
        return joined([
            joined([summary.usage.map(bar), processor.model], by: "  "),
            cores(processor.cores, processor.physicalCores), load(processor.load).map { "load \($0)" },
        ])
    }

    /// Nil where the computer does not say.
    private static func cores(_ cores: Int, _ physical: Int? = nil) -> String? {
        guard cores > 0 else { return nil }
        let physical = physical.flatMap { $0 == cores ? nil : " (\($0) physical)" } ?? ""
        return "\(cores) \(cores == 1 ? "core" : "cores")\(physical)"
    }

    private static func speed(_ megahertz: Double) -> String {
        megahertz >= 1000 ? String(format: "%.1f GHz", megahertz / 1000) : String(format: "%.0f MHz", megahertz)
    }

    private static func load(_ load: [Double]) -> String? {
        joined(load.map { String(format: "%.2f", $0) }, by: " ")
    }

    private static func use(of memory: MemoryFacts) -> String { share(memory.used, of: memory.total) }

    private static func share(_ used: UInt64, of total: UInt64) -> String {
        guard total > 0 else { return "none" }
        return "\(bar(Double(used) / Double(total) * 100))  \(size(used)) of \(size(total))"
    }

    private static func battery(_ battery: BatteryFacts) -> String? {
        let left = battery.secondsLeft.map { "\(duration(Int64($0))) left" }
        return joined([joined([bar(Double(battery.percent)), battery.state.rawValue], by: "  "), left])
    }

    private static func temperature(_ temperature: TemperatureAnswer) -> String? {
        guard let main = temperature.main else { return nil }
        return joined([degrees(main), temperature.highest.flatMap { $0 > main ? "highest \(degrees($0))" : nil }])
    }

    private static func degrees(_ celsius: Double) -> String { String(format: "%.1f °C", celsius) }

    /// Nil where the computer does not say.
    private static func up(_ seconds: Int64) -> String? { seconds > 0 ? duration(seconds) : nil }

    /// The two largest units: `3 days 4 h`, `4 h 12 min`, `12 min`.
    static func duration(_ seconds: Int64) -> String {
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) \(days == 1 ? "day" : "days")" + (hours > 0 ? " \(hours) h" : "") }
        if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
        return minutes > 0 ? "\(minutes) min" : "\(max(0, seconds)) s"
    }

    /// `[|||||     ]  50 %`.
    static func bar(_ percent: Double) -> String {
        let filled = Int((min(100, max(0, percent)) / 10).rounded())
        let bar = String(repeating: "|", count: filled) + String(repeating: " ", count: 10 - filled)
        let text = String(format: "%.0f", percent)
        return "[\(bar)] \(String(repeating: " ", count: max(0, 3 - text.count)))\(text) %"
    }

    // MARK: Tables

    private static func disks(_ disks: [DiskFacts]) -> String? {
        guard !disks.isEmpty else { return nil }
        return Output.table(
            ["DISK", "SIZE", "USED", "FREE", "USE", "DEVICE"],
            disks.map {
                [
                    $0.mountPoint, size($0.total), size($0.used), size($0.free), bar(Double($0.usedPercent)),
                    joined([$0.device, $0.kind], by: " ") ?? "",
                ]
            }
        )
    }

    private static func networks(_ all: [NetworkFacts]) -> String? {
        // The interfaces that reach other machines, where there are any.
        let outside = all.filter { $0.isUp && !$0.isLoopback }
        let networks = outside.isEmpty ? all : outside
        guard !networks.isEmpty else { return nil }
        return Output.table(
            ["NETWORK", "UP", "RECEIVED", "SENT", "ADDRESS"],
            networks.map {
                [
                    $0.name, $0.isUp ? "yes" : "no", size($0.bytesReceived), size($0.bytesSent),
                    joined([$0.ipv4, $0.ipv6], by: " ") ?? "",
                ]
            }
        )
    }

    static func batteries(_ batteries: [BatteryFacts]) -> String? {
        guard !batteries.isEmpty else { return "The computer has no battery." }
        return list(batteries.map { ($0.name.isEmpty ? "Battery" : $0.name, battery($0)) })
    }

    static func temperatures(_ answer: TemperatureAnswer) -> String {
        guard !answer.sensors.isEmpty else { return "The computer has no sensor of temperature." }
        return Output.table(["SENSOR", "TEMPERATURE"], answer.sensors.map { [$0.name, degrees($0.celsius)] })
    }

    static func services(_ list: ServiceList) -> String {
        guard !list.services.isEmpty else { return "The computer lists no service." }
        let table = Output.table(
            ["SERVICE", "STATE", "WHAT IT IS"],
            list.services.map { [$0.name, joined([$0.state, $0.detail], by: " ") ?? "", $0.summary] }
        )
        return table + more(list.isTruncated)
    }

    static func logs(_ page: LogPage) -> String {
        guard !page.entries.isEmpty else { return "The log holds nothing of this." }
        let table = Output.table(
            ["WHEN", "LEVEL", "SOURCE", "MESSAGE"],
            page.entries.map { [Output.time($0.timestamp), $0.level.rawValue, $0.source, $0.message] }
        )
        return table + more(page.isTruncated)
    }

    private static func more(_ isTruncated: Bool) -> String {
        isTruncated ? "\nThere are more than one answer holds." : ""
    }

    // MARK: Parts

    /// Names in a column, texts beside them; what is not known is left out. Nil when that leaves nothing.
    private static func list(_ rows: [Row]) -> String? {
        let rows = rows.compactMap { row in row.text.flatMap { $0.isEmpty ? nil : (TerminalText.line(row.name), $0) } }
        let width = rows.map { TerminalText.columns($0.0) }.max() ?? 0
        let lines = rows.map { "\(TerminalText.padded($0.0, to: width))  \($0.1)" }
        return lines.isEmpty ? nil : lines.map(Output.row).joined(separator: "\n")
    }

    private static func joined(_ parts: [String?], by separator: String = ", ") -> String? {
        let parts = parts.compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: separator)
    }

    private static func size(_ bytes: UInt64) -> String { Output.size(Int64(clamping: bytes)) }
}
