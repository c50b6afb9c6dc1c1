import Commands
package import Kernel

// Each with the documented members and those of existing programs.

extension ProcessorFacts {
    init(_ members: AnswerMembers) {
        self.init(
            model: members.text("model") ?? "",
            cores: members.count("cores") ?? 0,
            physicalCores: members.count("physicalCores"),
            speedMHz: members.number("speedMhz", "speed"),
            load: members.load
        )
    }

    func wire(usage: Double?) -> JSONValue {
        let usage = JSONValue.rounded(usage)
        let speed = speedMHz.flatMap { Int64(exactly: $0.rounded()) }.map(JSONValue.integer)
        return .known([
            "usage": usage, "usagePercent": usage, "cores": .integer(Int64(cores)), "model": .string(model),
            "loadAverage": .load(load), "physicalCores": physicalCores.map { .integer(Int64($0)) }, "speed": speed,
            "speedMhz": speed,
        ])
    }
}

extension MemoryFacts {
    /// - Parameter swap: Where it is beside the memory's members.
    init(_ members: AnswerMembers, swap: AnswerMembers? = nil) throws(RemoteError) {
        guard let total = members.bytes("total") else { throw .malformedResult }
        let used = members.bytes("used") ?? 0
        let swapTotal = swap?.bytes("total") ?? 0
        self.init(
            total: total,
            available: members.bytes("available", "free") ?? total.subtractingUpToZero(used),
            cached: members.bytes("cached") ?? 0,
            swapTotal: swapTotal,
            swapFree: swap?.bytes("free") ?? swapTotal.subtractingUpToZero(swap?.bytes("used") ?? 0)
        )
    }

    /// Bytes that programs have taken.
    public var used: UInt64 { total.subtractingUpToZero(available) }

    /// Bytes of swap in use.
    public var swapUsed: UInt64 { swapTotal.subtractingUpToZero(swapFree) }

    /// How much is taken, 0 to 100.
    public var usedPercent: Int { Int(JSONValue.percent(used, of: total)) }

    var wire: JSONValue {
        [
            "total": .bytes(total), "used": .bytes(used), "free": .bytes(available), "available": .bytes(available),
            "cached": .bytes(cached), "usagePercent": .integer(Int64(usedPercent)),
        ]
    }

    var swap: JSONValue {
        [
            "total": .bytes(swapTotal), "used": .bytes(swapUsed), "free": .bytes(swapFree),
            "usagePercent": .integer(JSONValue.percent(swapUsed, of: swapTotal)),
        ]
    }
}

extension DiskFacts {
    /// Nil for one without a size.
    init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let total = members.bytes("total") else { return nil }
        let used = members.bytes("used")
        self.init(
            mountPoint: members.text("mountPoint", "mount") ?? "",
            device: members.text("device") ?? "",
            kind: members.text("type") ?? "",
            total: total,
            free: members.bytes("free") ?? total.subtractingUpToZero(used ?? 0),
            used: used
        )
    }

    /// How much is taken, 0 to 100. As `df` counts: what is kept for root is neither used nor free.
    public var usedPercent: Int {
        let usable = used.addingReportingOverflow(free)
        return Int(JSONValue.percent(used, of: usable.overflow ? .max : usable.partialValue))
    }

    var wire: JSONValue {
        [
            "total": .bytes(total), "used": .bytes(used), "free": .bytes(free),
            "usagePercent": .integer(Int64(usedPercent)), "mountPoint": .string(mountPoint),
            "mount": .string(mountPoint), "device": .string(device), "type": .string(kind),
        ]
    }
}

extension NetworkFacts {
    /// Nil for one without a name.
    init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let name = members.text("interface", "interfaceName", "name")
        else { return nil }
        let ipv4 = members.text("ipv4", "ip")
        self.init(
            name: name,
            ipv4: ipv4,
            ipv6: members.text("ipv6"),
            bytesReceived: members.bytes("bytesReceived", "received") ?? 0,
            bytesSent: members.bytes("bytesSent", "sent") ?? 0,
            isUp: members.flag("up") ?? true,
            isLoopback: name == "lo" || ipv4?.hasPrefix("127.") == true
        )
    }

    var wire: JSONValue {
        .known([
            "interface": .string(name), "interfaceName": .string(name), "bytesSent": .bytes(bytesSent),
            "sent": .bytes(bytesSent), "bytesReceived": .bytes(bytesReceived), "received": .bytes(bytesReceived),
            "up": .bool(isUp), "ipv4": ipv4.map(JSONValue.string), "ip": ipv4.map(JSONValue.string),
            "ipv6": ipv6.map(JSONValue.string),
        ])
    }
}

extension BatteryFacts {
    /// Nil for one that does not say how full it is.
    init?(_ members: AnswerMembers) {
        guard let percent = members.number("percent", "level") else { return nil }
        let isCharging = members.flag("charging", "isCharging")
        let state = members.text("status").flatMap { BatteryState(rawValue: $0.lowercased()) }
        self.init(
            name: members.text("name") ?? "",
            percent: Int(min(max(percent, 0), 100).rounded()),
            state: state ?? isCharging.map { $0 ? .charging : .discharging } ?? .unknown,
            secondsLeft: members.count("timeRemaining")
        )
    }

    var wire: JSONValue {
        let percent = JSONValue.integer(Int64(percent))
        return .known([
            "name": .string(name), "percent": percent, "level": percent, "status": .string(state.rawValue),
            "charging": .bool(state == .charging), "isCharging": .bool(state == .charging),
            "timeRemaining": secondsLeft.map { .integer(Int64($0)) },
        ])
    }
}

extension ServiceFacts {
    /// Nil for one without a name.
    init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let name = members.text("name") else { return nil }
        self.init(
            name: name,
            summary: members.text("description") ?? "",
            state: members.text("state", "status") ?? "",
            detail: members.text("detail") ?? (members.flag("running") == true ? "running" : "")
        )
    }

    /// Whether it runs, and has not only been started and ended.
    public var isRunning: Bool { detail == "running" }

    package var wire: JSONValue {
        [
            "name": .string(name), "description": .string(summary), "state": .string(state), "status": .string(state),
            "detail": .string(detail), "running": .bool(isRunning),
        ]
    }
}

extension LogEntry {
    /// Nil for one without a message.
    init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let message = members.text("message") else { return nil }
        self.init(
            timestamp: members.integer("timestamp") ?? 0,
            level: members.text("level").flatMap { LogLevel(name: $0.lowercased()) } ?? .info,
            source: members.text("source") ?? "",
            message: message
        )
    }

    package var wire: JSONValue {
        [
            "timestamp": .integer(timestamp), "level": .string(level.rawValue), "source": .string(source),
            "message": .string(message),
        ]
    }
}

extension JSONValue {
    static func bytes(_ count: UInt64) -> JSONValue { .integer(Int64(clamping: count)) }

    /// To one digit behind the point, or as many as `steps` has zeros.
    static func rounded(_ value: Double?, to steps: Double = 10) -> JSONValue {
        guard let value, value.isFinite else { return .null }
        return .number((value * steps).rounded() / steps)
    }

    /// 0 to 100 for a part that is no larger than the whole.
    static func percent(_ part: UInt64, of whole: UInt64) -> Int64 {
        whole == 0 ? 0 : Int64((Double(min(part, whole)) / Double(whole) * 100).rounded())
    }

    /// Where a member is called like its topic, the topic wins: clients look there first.
    static func nested(_ topic: String, _ members: JSONValue) -> JSONValue {
        members.adding("success", true).adding(topic, members)
    }

    static func load(_ averages: [Double]) -> JSONValue { .array(averages.map { .rounded($0, to: 100) }) }
}

extension AnswerMembers {
    /// The load averages of the last 1, 5 and 15 minutes.
    var load: [Double] { (list("loadAverage", limit: 3) ?? []).compactMap(\.finiteNumber) }
}

extension UInt64 {
    func subtractingUpToZero(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
