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

    public var wire: JSONValue { .nested("cpu", processor.wire(usage: usage)) }
}

/// The answer of `sysinfo.getMemory`.
public struct MemoryAnswer: MethodAnswer, Hashable {
    /// Memory and swap, in bytes.
    public var memory: MemoryFacts

    public init(_ memory: MemoryFacts) { self.memory = memory }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire, under: "memory")
        memory = try MemoryFacts(members, swap: members.members("swap"))
    }

    public var wire: JSONValue { .nested("memory", memory.wire).adding("swap", memory.swap) }
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
        let seconds = JSONValue.integer(seconds)
        let bootTime = bootTime.map(JSONValue.integer)
        return .nested("uptime", .known(["uptime": seconds, "seconds": seconds, "bootTime": bootTime]))
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
        let first = batteries.first?.wire ?? [:]
        let members = first.adding("hasBattery", .bool(!batteries.isEmpty)).adding("present", .bool(!batteries.isEmpty))
        return .nested("battery", members.adding("batteries", .array(batteries.map(\.wire))))
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
        let sensors = sensors.map { ["name": .string($0.name), "celsius": .rounded($0.celsius)] as JSONValue }
        return .nested(
            "temperature",
            .known([
                "available": .bool(!sensors.isEmpty), "sensors": .array(sensors), "main": main.map { .rounded($0) },
                "cpu": main.map { .rounded($0) }, "max": main.map { .rounded(highest ?? $0) },
            ])
        )
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
        let processor = members.members("cpu")
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
        .nested(
            "hardware",
            .known([
                "cpu": ["model": .string(processorModel), "cores": .integer(Int64(cores))],
                "memoryTotal": .bytes(memoryTotal),
                "disks": .array(disks.prefix(SystemSummary.diskLimit).map(\.wire)),
                "manufacturer": hardware.manufacturer.map(JSONValue.string),
                "model": hardware.model.map(JSONValue.string), "board": hardware.board.map(JSONValue.string),
                "bios": hardware.firmware.map(JSONValue.string),
            ])
        )
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
        let processor = members.members("cpu")
        usage = members.number("cpuUsage") ?? processor?.number("usage", "usagePercent")
        memory = members.members("memory").flatMap { try? MemoryFacts($0) }
        let percent = members.number("memoryUsage").map { Int(min(max($0, 0), 100).rounded()) }
        memoryUsage = percent ?? memory?.usedPercent
        load = members.load
        uptime = members.integer("uptime") ?? 0
        timestamp = members.integer("timestamp")
    }

    public var wire: JSONValue {
        let usage = JSONValue.rounded(usage)
        return .nested(
            "performance",
            .known([
                "cpuUsage": usage, "cpu": ["usage": usage, "usagePercent": usage], "loadAverage": .load(load),
                "uptime": .integer(uptime), "memoryUsage": memoryUsage.map { .integer(Int64($0)) },
                "memory": memory?.wire, "timestamp": timestamp.map(JSONValue.integer),
            ])
        )
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
