import CommandServer
import Commands
import Kernel

/// The documented members and those of existing programs: nested under their topic's name, and flat beside it.
extension SystemSkill {
    /// What an answer lists at most; the limit a phone gives is held against it.
    private static let listLimit: Int64 = 500
    private static let defaultLimit: Int64 = 50
    private static let diskLimit = 32

    func info() async throws -> JSONValue {
        var answer: [String: JSONValue] = [
            "success": true, "cpu": .object(try await processorMembers()),
            "memory": .object(Self.members(of: try await information.memory())),
            "uptime": .integer(Int64(try await information.uptime())), "timestamp": timestamp,
        ]
        let disks = try await information.disks()
        if let disk = disks.first { answer["disk"] = Self.json(disk) }
        answer["disks"] = .array(disks.prefix(Self.diskLimit).map(Self.json))
        let networks = try await information.networks()
        if let network = networks.first { answer["network"] = Self.json(network) }
        answer["networks"] = .array(networks.prefix(Self.diskLimit).map(Self.json))
        return .object(answer)
    }

    func cpu() async throws -> JSONValue { nested("cpu", try await processorMembers()) }

    func memory() async throws -> JSONValue {
        let facts = try await information.memory()
        let used = facts.swapTotal.subtractingUpToZero(facts.swapFree)
        let swap: JSONValue = [
            "total": .bytes(facts.swapTotal), "used": .bytes(used), "free": .bytes(facts.swapFree),
            "usagePercent": .integer(Self.percent(used, of: facts.swapTotal)),
        ]
        return nested("memory", Self.members(of: facts)).adding("swap", swap)
    }

    func operatingSystem() async throws -> JSONValue {
        let facts = try await information.operatingSystem()
        return nested(
            "os",
            [
                "platform": .string(facts.platform), "name": .string(facts.name), "distro": .string(facts.name),
                "version": .string(facts.version), "release": .string(facts.kernel), "kernel": .string(facts.kernel),
                "arch": .string(facts.architecture), "hostname": .string(facts.hostName),
            ]
        )
    }

    func uptime() async throws -> JSONValue {
        let seconds = Int64(try await information.uptime())
        let started = (timestamp.integerValue ?? 0) - seconds * 1000
        return nested(
            "uptime",
            ["uptime": .integer(seconds), "seconds": .integer(seconds), "bootTime": .integer(started)]
        )
    }

    func battery() async throws -> JSONValue {
        let batteries = try await information.batteries()
        var members: [String: JSONValue] = [
            "hasBattery": .bool(!batteries.isEmpty), "present": .bool(!batteries.isEmpty),
            "batteries": .array(batteries.map { .object(Self.members(of: $0)) }),
        ]
        if let battery = batteries.first { members.merge(Self.members(of: battery)) { old, _ in old } }
        return nested("battery", members)
    }

    func temperature() async throws -> JSONValue {
        let sensors = try await information.temperatures()
        var members: [String: JSONValue] = [
            "available": .bool(!sensors.isEmpty),
            "sensors": .array(
                sensors.map { ["name": .string($0.name), "celsius": .rounded($0.celsius)] }
            ),
        ]
        let main = (sensors.first(where: \.isProcessor) ?? sensors.first)?.celsius
        if let main {
            members["main"] = .rounded(main)
            members["cpu"] = .rounded(main)
            members["max"] = .rounded(sensors.map(\.celsius).max() ?? main)
        }
        return nested("temperature", members)
    }

    func hardware() async throws -> JSONValue {
        let facts = try await information.hardware()
        let processor = try await information.processor()
        var members: [String: JSONValue] = [
            "cpu": ["model": .string(processor.model), "cores": .integer(Int64(processor.cores))],
            "memoryTotal": .bytes(try await information.memory().total),
            "disks": .array(try await information.disks().prefix(Self.diskLimit).map(Self.json)),
        ]
        let texts = [
            "manufacturer": facts.manufacturer, "model": facts.model, "board": facts.board, "bios": facts.firmware,
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        return nested("hardware", members)
    }

    func performance() async throws -> JSONValue {
        let usage = try await usage()
        let memory = try await information.memory()
        let load = try await information.processor().load
        let percent = Self.percent(memory.total.subtractingUpToZero(memory.available), of: memory.total)
        return nested(
            "performance",
            [
                "cpuUsage": .rounded(usage), "memoryUsage": .integer(percent),
                "cpu": ["usage": .rounded(usage), "usagePercent": .rounded(usage)],
                "memory": .object(Self.members(of: memory)), "loadAverage": .array(load.map { .rounded($0, to: 100) }),
                "uptime": .integer(Int64(try await information.uptime())), "timestamp": timestamp,
            ]
        )
    }

    func services(_ params: RemoteParameters) async throws -> JSONValue {
        let limit = try params.optionalInteger("limit", in: 1...Self.listLimit) ?? Self.defaultLimit
        let services = try await information.services(limit: Int(limit)).prefix(Int(limit)).map { service in
            JSONValue.object([
                "name": .string(service.name), "description": .string(service.summary),
                "state": .string(service.state), "status": .string(service.state), "detail": .string(service.detail),
                "running": .bool(service.detail == "running"),
            ])
        }
        return Self.fitted(Array(services), as: "services")
    }

    func logs(_ params: RemoteParameters) async throws -> JSONValue {
        let limit = try params.optionalInteger("limit", in: 1...Self.listLimit) ?? Self.defaultLimit
        let query = LogQuery(limit: Int(limit), level: try level(params), source: try source(params))
        let entries = try await information.logs(query).prefix(query.limit).map { entry in
            JSONValue.object([
                "timestamp": .integer(entry.timestamp), "level": .string(entry.level.rawValue),
                "source": .string(entry.source), "message": .string(entry.message),
            ])
        }
        return Self.fitted(Array(entries), as: "logs")
    }

    private func level(_ params: RemoteParameters) throws(RemoteFailure) -> LogLevel? {
        guard let name = try params.optionalText("level", limit: 32), !name.isEmpty, name != "all" else { return nil }
        guard let level = LogLevel(name: name.lowercased()) else {
            let names = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter("level", "one of \(names)")
        }
        return level
    }

    /// Becomes an argument of a program, so it is what names of programs and services are, and never an option.
    private func source(_ params: RemoteParameters) throws(RemoteFailure) -> String? {
        guard let source = try params.optionalText("source", limit: 128), !source.isEmpty, source != "system" else {
            return nil
        }
        let isName = source.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "@._:-".utf8.contains(byte)
            }
        }
        guard isName, !source.hasPrefix("-") else {
            throw .badParameter("source", "the name of a program or service, such as sshd or ssh.service")
        }
        return source
    }

    private func processorMembers() async throws -> [String: JSONValue] {
        let facts = try await information.processor()
        let usage = JSONValue.rounded(try await usage())
        var members: [String: JSONValue] = [
            "usage": usage, "usagePercent": usage, "cores": .integer(Int64(facts.cores)),
            "model": .string(facts.model), "loadAverage": .array(facts.load.map { .rounded($0, to: 100) }),
        ]
        if let cores = facts.physicalCores { members["physicalCores"] = .integer(Int64(cores)) }
        if let speed = facts.speedMHz {
            members["speed"] = .integer(Int64(speed.rounded()))
            members["speedMhz"] = .integer(Int64(speed.rounded()))
        }
        return members
    }
}

extension SystemSkill {
    /// Where a member is called like its topic, the topic wins: clients look there first.
    private func nested(_ topic: String, _ members: [String: JSONValue]) -> JSONValue {
        .object(members.merging(["success": true, topic: .object(members)]) { $1 })
    }

    private static func members(of facts: MemoryFacts) -> [String: JSONValue] {
        let used = facts.total.subtractingUpToZero(facts.available)
        return [
            "total": .bytes(facts.total), "used": .bytes(used), "free": .bytes(facts.available),
            "available": .bytes(facts.available), "cached": .bytes(facts.cached),
            "usagePercent": .integer(percent(used, of: facts.total)),
        ]
    }

    private static func members(of facts: BatteryFacts) -> [String: JSONValue] {
        let percent = JSONValue.integer(Int64(facts.percent))
        let members: [String: JSONValue] = [
            "name": .string(facts.name), "percent": percent, "level": percent, "status": .string(facts.state.rawValue),
            "charging": .bool(facts.state == .charging), "isCharging": .bool(facts.state == .charging),
        ]
        guard let seconds = facts.secondsLeft else { return members }
        return members.merging(["timeRemaining": .integer(Int64(seconds))]) { $1 }
    }

    private static func json(_ disk: DiskFacts) -> JSONValue {
        // As `df` counts: what is kept for root is neither used nor free.
        let usable = disk.used.addingReportingOverflow(disk.free).partialValue
        return [
            "total": .bytes(disk.total), "used": .bytes(disk.used), "free": .bytes(disk.free),
            "usagePercent": .integer(percent(disk.used, of: usable)), "mountPoint": .string(disk.mountPoint),
            "mount": .string(disk.mountPoint), "device": .string(disk.device), "type": .string(disk.kind),
        ]
    }

    private static func json(_ network: NetworkFacts) -> JSONValue {
        var members: [String: JSONValue] = [
            "interface": .string(network.name), "interfaceName": .string(network.name),
            "bytesSent": .bytes(network.bytesSent), "sent": .bytes(network.bytesSent),
            "bytesReceived": .bytes(network.bytesReceived), "received": .bytes(network.bytesReceived),
            "up": .bool(network.isUp),
        ]
        if let address = network.ipv4 {
            members["ipv4"] = .string(address)
            members["ip"] = .string(address)
        }
        if let address = network.ipv6 { members["ipv6"] = .string(address) }
        return .object(members)
    }

    private static func percent(_ part: UInt64, of whole: UInt64) -> Int64 {
        whole == 0 ? 0 : Int64((Double(part) / Double(whole) * 100).rounded())
    }

    /// As many as one answer holds.
    private static func fitted(_ items: [JSONValue], as name: String) -> JSONValue {
        var size = 0
        let fitting = items.prefix { item in
            size += AnswerSize.bytes(of: item) + 1
            return size < AnswerSize.byteLimit - 1024
        }
        return .object([
            "success": true, "total": .integer(Int64(fitting.count)), "truncated": .bool(fitting.count < items.count),
            name: .array(Array(fitting)),
        ])
    }
}

extension JSONValue {
    fileprivate static func bytes(_ count: UInt64) -> JSONValue { .integer(Int64(clamping: count)) }

    /// To one digit behind the point, or as many as `steps` has zeros.
    fileprivate static func rounded(_ value: Double, to steps: Double = 10) -> JSONValue {
        value.isFinite ? .number((value * steps).rounded() / steps) : .null
    }
}

extension UInt64 {
    fileprivate func subtractingUpToZero(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
