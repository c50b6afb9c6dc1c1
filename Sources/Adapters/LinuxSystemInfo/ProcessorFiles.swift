import SystemInfo
import SystemInfoHost

/// Reads what the kernel says of the processors.
enum ProcessorFiles {
    /// `/proc/stat`: user nice system idle iowait irq softirq steal, then guests, which user and nice hold already.
    static func times(_ text: String) -> ProcessorTimes? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let numbers = line.split(separator: " ").dropFirst().prefix(8).map { UInt64($0) }
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count, known.count >= 4 else { return nil }
        let total = known.reduce(0) { $0 &+ $1 }
        let idle = known[3] &+ (known.count > 4 ? known[4] : 0)
        guard total >= idle else { return nil }
        return ProcessorTimes(busy: total - idle, total: total)
    }

    /// `/proc/cpuinfo`, one paragraph a processor. ARM has no `model name` there.
    static func facts(_ text: String, load: [Double]) -> ProcessorFacts {
        var model = ""
        var cores = 0
        var speeds: [Double] = []
        var physical: Set<String> = []
        var package = ""
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimming
            switch parts[0].trimming {
            case "processor": cores += 1
            case "model name", "Model", "cpu model":
                if model.isEmpty || parts[0].hasPrefix("model name") { model = value }
            case "cpu MHz": if let speed = Double(value) { speeds.append(speed) }
            case "physical id": package = value
            case "core id": physical.insert("\(package)/\(value)")
            default: break
            }
        }
        return ProcessorFacts(
            model: model,
            cores: max(1, cores),
            physicalCores: physical.isEmpty ? nil : physical.count,
            speedMHz: speeds.isEmpty ? nil : speeds.reduce(0, +) / Double(speeds.count),
            load: load
        )
    }

    /// `/proc/loadavg`.
    static func load(_ text: String) -> [Double] {
        text.split(separator: " ").prefix(3).compactMap { Double($0) }
    }

    /// `/proc/uptime`: seconds since the start, then the idle seconds of all processors.
    static func uptime(_ text: String) -> Double? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
    }
}

extension Substring {
    var trimming: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
