public import Commands
public import Kernel

// The answers of `sysinfo.get…`: each has its members under its topic's name, and flat beside it.

/// The answer of `sysinfo.getCPU`.
public struct ProcessorAnswer: MethodAnswer, Hashable {
    /// The processors and their load.
    public var processor: ProcessorFacts
    /// How busy the processors are, 0 to 100.
    public var usage: Double?

    public init(_ processor: ProcessorFacts, usage: Double?) {
        self.processor = processor
        self.usage = usage
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "cpu")
        self.init(ProcessorFacts(members), usage: members.number("usage", "usagePercent"))
    }

    public var wire: JSONValue { .nested("cpu", processor.members(usage: usage)) }
}

/// The answer of `sysinfo.getMemory`.
public struct MemoryAnswer: MethodAnswer, Hashable {
    /// Memory and swap, in bytes.
    public var memory: MemoryFacts

    public init(_ memory: MemoryFacts) { self.memory = memory }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "memory")
        memory = try MemoryFacts(members, swap: members.value("swap").flatMap { try? AnswerMembers($0) })
    }

    public var wire: JSONValue { .nested("memory", memory.members).adding("swap", memory.swap) }
}

/// The answer of `sysinfo.getOS`.
public struct OperatingSystemAnswer: MethodAnswer, Hashable {
    /// Empty texts for what a program does not say.
    public var system: OperatingSystemFacts

    public init(_ system: OperatingSystemFacts) { self.system = system }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "os")
        system = OperatingSystemFacts(
            platform: members.text("platform") ?? "",
            name: members.text("name", "distro") ?? "",
            version: members.text("version") ?? "",
            kernel: members.text("kernel", "release") ?? "",
            architecture: members.text("arch") ?? "",
            hostName: members.text("hostname") ?? ""
        )
    }

    public var wire: JSONValue {
        .nested(
            "os",
            [
                "platform": .string(system.platform), "name": .string(system.name), "distro": .string(system.name),
                "version": .string(system.version), "release": .string(system.kernel),
                "kernel": .string(system.kernel), "arch": .string(system.architecture),
                "hostname": .string(system.hostName),
            ]
        )
    }
}

/// The answer of `sysinfo.getUptime`.
public struct UptimeAnswer: MethodAnswer, Hashable {
    /// Seconds since the computer was started, rounded down.
    public var seconds: Int64
    /// In milliseconds since 1970. Nil from programs that do not say.
    public var bootTime: Int64?

    public init(seconds: Int64, bootTime: Int64?) {
        self.seconds = seconds
        self.bootTime = bootTime
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "uptime")
        guard let seconds = members.number("seconds", "uptime"), let whole = Int64(exactly: seconds.rounded(.down))
        else { throw .malformedResult }
        self.init(seconds: whole, bootTime: members.integer("bootTime"))
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = ["uptime": .integer(seconds), "seconds": .integer(seconds)]
        if let bootTime { members["bootTime"] = .integer(bootTime) }
        return .nested("uptime", members)
    }
}

/// The answer of `sysinfo.getBattery`.
public struct BatteryAnswer: MethodAnswer, Hashable {
    /// Empty for a computer that has none.
    public var batteries: [BatteryFacts]

    public init(_ batteries: [BatteryFacts]) { self.batteries = batteries }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "battery")
        let listed = members.list("batteries", limit: 16)?.compactMap { wire in
            (try? AnswerMembers(wire)).flatMap(BatteryFacts.init)
        }
        let isThere = members.flag("hasBattery", "present") ?? true
        batteries = listed ?? (isThere ? [BatteryFacts(members)].compactMap(\.self) : [])
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "hasBattery": .bool(!batteries.isEmpty), "present": .bool(!batteries.isEmpty),
            "batteries": .array(batteries.map { .object($0.members) }),
        ]
        if let battery = batteries.first { members.merge(battery.members) { old, _ in old } }
        return .nested("battery", members)
    }
}

/// The answer of `sysinfo.getTemperature`.
public struct TemperatureAnswer: MethodAnswer, Hashable {
    /// Empty for a computer that measures none.
    public var sensors: [TemperatureFacts]
    /// The processor's in degrees Celsius, or another one's where that is not measured.
    public var main: Double?
    /// In degrees Celsius.
    public var highest: Double?

    public init(_ sensors: [TemperatureFacts]) {
        self.sensors = sensors
        main = (sensors.first(where: \.isProcessor) ?? sensors.first)?.celsius
        highest = sensors.map(\.celsius).max()
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "temperature")
        sensors = (members.list("sensors", limit: 64) ?? []).compactMap { wire in
            guard let sensor = try? AnswerMembers(wire), let celsius = sensor.number("celsius") else { return nil }
            return TemperatureFacts(name: sensor.text("name") ?? "", celsius: celsius, isProcessor: false)
        }
        main = members.number("main", "cpu")
        highest = members.number("max") ?? sensors.map(\.celsius).max() ?? main
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "available": .bool(!sensors.isEmpty),
            "sensors": .array(sensors.map { ["name": .string($0.name), "celsius": .rounded($0.celsius)] }),
        ]
        if let main {
            members["main"] = .rounded(main)
            members["cpu"] = .rounded(main)
            members["max"] = .rounded(highest ?? main)
        }
        return .nested("temperature", members)
    }
}

/// The answer of `sysinfo.getHardware`.
public struct HardwareAnswer: MethodAnswer, Hashable {
    /// The machine's maker and model.
    public var hardware: HardwareFacts
    /// Empty when the computer does not say.
    public var processorModel: String
    /// The number of threads that can run at a time.
    public var cores: Int
    /// In bytes.
    public var memoryTotal: UInt64
    /// At most ``SystemSummary/diskLimit``.
    public var disks: [DiskFacts]

    public init(
        _ hardware: HardwareFacts,
        processorModel: String,
        cores: Int,
        memoryTotal: UInt64,
        disks: [DiskFacts]
    ) {
        self.hardware = hardware
        self.processorModel = processorModel
        self.cores = cores
        self.memoryTotal = memoryTotal
        self.disks = disks
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "hardware")
        let processor = members.value("cpu").flatMap { try? AnswerMembers($0) }
        self.init(
            HardwareFacts(
                manufacturer: members.text("manufacturer"),
                model: members.text("model"),
                board: members.text("board"),
                firmware: members.text("bios")
            ),
            processorModel: processor?.text("model") ?? "",
            cores: processor?.count("cores") ?? 0,
            memoryTotal: members.bytes("memoryTotal") ?? 0,
            disks: (members.list("disks", limit: SystemSummary.diskLimit) ?? []).compactMap(DiskFacts.init)
        )
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "cpu": ["model": .string(processorModel), "cores": .integer(Int64(cores))],
            "memoryTotal": .bytes(memoryTotal),
            "disks": .array(disks.prefix(SystemSummary.diskLimit).map(\.wire)),
        ]
        let texts = [
            "manufacturer": hardware.manufacturer, "model": hardware.model, "board": hardware.board,
            "bios": hardware.firmware,
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        return .nested("hardware", members)
    }
}

/// The answer of `sysinfo.getPerformance`.
public struct PerformanceAnswer: MethodAnswer, Hashable {
    /// How busy the processors are, 0 to 100.
    public var usage: Double?
    /// Without its swap. Nil from programs that give only a share of it.
    public var memory: MemoryFacts?
    /// How much memory is taken, 0 to 100.
    public var memoryUsage: Int?
    /// The load averages of the last 1, 5 and 15 minutes.
    public var load: [Double]
    /// In seconds.
    public var uptime: Int64
    /// In milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?

    public init(usage: Double?, memory: MemoryFacts, load: [Double], uptime: Int64, timestamp: Int64?) {
        self.usage = usage
        self.memory = memory
        memoryUsage = memory.usedPercent
        self.load = load
        self.uptime = uptime
        self.timestamp = timestamp
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "performance")
        let processor = members.value("cpu").flatMap { try? AnswerMembers($0) }
        usage = members.number("cpuUsage") ?? processor?.number("usage", "usagePercent")
        memory = members.value("memory").flatMap { try? MemoryFacts(try AnswerMembers($0)) }
        let percent = members.number("memoryUsage").map { Int(min(max($0, 0), 100).rounded()) }
        memoryUsage = percent ?? memory?.usedPercent
        load = (members.list("loadAverage", limit: 3) ?? []).compactMap(\.finiteNumber)
        uptime = members.integer("uptime") ?? 0
        timestamp = members.integer("timestamp")
    }

    public var wire: JSONValue {
        let usage = JSONValue.rounded(usage)
        var members: [String: JSONValue] = [
            "cpuUsage": usage, "cpu": ["usage": usage, "usagePercent": usage],
            "loadAverage": .array(load.map { .rounded($0, to: 100) }), "uptime": .integer(uptime),
        ]
        if let memoryUsage { members["memoryUsage"] = .integer(Int64(memoryUsage)) }
        if let memory { members["memory"] = .object(memory.members) }
        if let timestamp { members["timestamp"] = .integer(timestamp) }
        return .nested("performance", members)
    }
}

/// The answer of `sysinfo.getServices`.
public struct ServiceList: MethodAnswer, Hashable {
    /// The services in the system's order, as many as were asked for.
    public var services: [ServiceFacts]
    /// Whether there were more than one answer holds.
    public var isTruncated: Bool

    public init(_ services: [ServiceFacts], isTruncated: Bool = false) {
        self.services = services
        self.isTruncated = isTruncated
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("services") else { throw .malformedResult }
        self.init(list.compactMap(ServiceFacts.init), isTruncated: members.flag("truncated") ?? false)
    }

    public var wire: JSONValue {
        [
            "success": true, "total": .integer(Int64(services.count)), "truncated": .bool(isTruncated),
            "services": .array(services.map(\.wire)),
        ]
    }
}

/// The answer of `sysinfo.getLogs`.
public struct LogPage: MethodAnswer, Hashable {
    /// The newest first.
    public var entries: [LogEntry]
    /// Whether there were more than one answer holds.
    public var isTruncated: Bool

    public init(_ entries: [LogEntry], isTruncated: Bool = false) {
        self.entries = entries
        self.isTruncated = isTruncated
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let list = members.list("logs") else { throw .malformedResult }
        self.init(list.compactMap(LogEntry.init), isTruncated: members.flag("truncated") ?? false)
    }

    public var wire: JSONValue {
        [
            "success": true, "total": .integer(Int64(entries.count)), "truncated": .bool(isTruncated),
            "logs": .array(entries.map(\.wire)),
        ]
    }
}
