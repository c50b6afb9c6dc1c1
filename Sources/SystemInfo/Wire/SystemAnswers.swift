public import Commands
public import Kernel

/// The answer of a ping: the computer is there.
public struct Pong: MethodAnswer, Hashable {
    /// The computer's clock, in milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?
    /// The version of its program. Nil from programs that do not say.
    public var version: String?

    public init(timestamp: Int64?, version: String?) {
        self.timestamp = timestamp
        self.version = version
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        timestamp = members.integer("ts", "timestamp")
        version = members.text("version")
    }

    public var wire: JSONValue {
        .known(["pong": true, "ts": timestamp.map(JSONValue.integer), "version": version.map(JSONValue.string)])
    }
}

/// The most asked figures of a computer.
public struct SystemSummary: MethodAnswer, Hashable {
    /// Disks, and also network interfaces, that one answer holds at most.
    public static let diskLimit = 32

    /// The processors, without how busy they are: see ``usage``.
    public var processor: ProcessorFacts
    /// How busy the processors are, 0 to 100.
    public var usage: Double?
    /// Without its swap.
    public var memory: MemoryFacts
    /// The one with the system on it first.
    public var disks: [DiskFacts]
    /// The one that reaches the network first.
    public var networks: [NetworkFacts]
    /// In seconds.
    public var uptime: Int64
    /// In milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?
    /// The last minutes. Nil unless it was asked for, and from programs that keep none.
    public var history: SystemHistory?

    package init(
        processor: ProcessorFacts,
        usage: Double?,
        memory: MemoryFacts,
        disks: [DiskFacts],
        networks: [NetworkFacts],
        uptime: Int64,
        timestamp: Int64?,
        history: SystemHistory? = nil
    ) {
        self.processor = processor
        self.usage = usage
        self.memory = memory
        self.disks = disks
        self.networks = networks
        self.uptime = uptime
        self.timestamp = timestamp
        self.history = history
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        let processor = try AnswerMembers(members.value("cpu") ?? [:])
        self.init(
            processor: ProcessorFacts(processor),
            usage: processor.number("usage", "usagePercent"),
            memory: try MemoryFacts(try AnswerMembers(members.value("memory") ?? .null)),
            disks: Self.several(members, "disks", or: "disk").compactMap(DiskFacts.init),
            networks: Self.several(members, "networks", or: "network").compactMap(NetworkFacts.init),
            uptime: members.integer("uptime") ?? 0,
            timestamp: members.integer("timestamp"),
            history: SystemHistory(members.value("history"))
        )
    }

    /// A list, or from programs that know one only, that one.
    private static func several(_ members: AnswerMembers, _ list: String, or single: String) -> [JSONValue] {
        members.list(list, limit: diskLimit) ?? [members.value(single)].compactMap(\.self)
    }

    public var wire: JSONValue {
        .known([
            "success": true, "cpu": processor.wire(usage: usage), "memory": memory.wire, "uptime": .integer(uptime),
            "disks": .array(disks.prefix(Self.diskLimit).map(\.wire)),
            "networks": .array(networks.prefix(Self.diskLimit).map(\.wire)),
            "timestamp": timestamp.map(JSONValue.integer), "disk": disks.first?.wire,
            "network": networks.first?.wire, "history": history?.wire,
        ])
    }
}

/// A computer's uptime and platform, and the version of its program.
public struct ProgramStatus: MethodAnswer, Hashable {
    /// `online`.
    public var status: String
    /// The program's.
    public var version: String
    /// `linux`, `darwin` and so on.
    public var platform: String
    /// The computer's, in seconds.
    public var uptime: Int64
    /// In milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?

    public init(status: String = "online", version: String, platform: String, uptime: Int64, timestamp: Int64?) {
        self.status = status
        self.version = version
        self.platform = platform
        self.uptime = uptime
        self.timestamp = timestamp
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        self.init(
            status: members.text("status") ?? "online",
            version: members.text("version") ?? "",
            platform: members.text("platform") ?? "",
            uptime: members.number("uptime").flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0,
            timestamp: members.integer("timestamp")
        )
    }

    public var wire: JSONValue {
        .known([
            "success": true, "status": .string(status), "version": .string(version), "platform": .string(platform),
            "uptime": .integer(uptime), "timestamp": timestamp.map(JSONValue.integer),
        ])
    }
}

/// The program that answers, and what it runs on. Empty texts for what a program does not say.
public struct ProgramFacts: MethodAnswer, Hashable {
    /// The program's, for example `Tandem`.
    public var name: String
    /// The program's.
    public var version: String
    /// The operating system that the program runs on.
    public var system: OperatingSystemFacts

    public init(name: String = "Tandem", version: String, system: OperatingSystemFacts) {
        self.name = name
        self.version = version
        self.system = system
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        name = members.text("appName") ?? ""
        version = members.text("version") ?? ""
        system = OperatingSystemFacts(
            platform: members.text("platform") ?? "",
            name: members.text("osName") ?? "",
            version: members.text("osVersion") ?? "",
            kernel: members.text("kernel") ?? "",
            architecture: members.text("arch") ?? "",
            hostName: members.text("hostname") ?? ""
        )
    }

    public var wire: JSONValue {
        [
            "success": true, "appName": .string(name), "version": .string(version),
            "platform": .string(system.platform), "arch": .string(system.architecture),
            "hostname": .string(system.hostName), "osName": .string(system.name),
            "osVersion": .string(system.version), "kernel": .string(system.kernel),
        ]
    }
}
