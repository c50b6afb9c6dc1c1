import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Rights
import SystemInfo
import Testing

@testable import CommandServer
@testable import Commands
@testable import SystemInfoHost

@Suite("System", .timeLimit(.minutes(5)))
struct SystemSkillTests {
    private let clock = ImmediateClock()
    private let date = Date(timeIntervalSince1970: 1_790_000_000)

    private func skill(_ system: InMemorySystem) -> SystemSkill {
        SystemSkill(
            information: system,
            version: "1.2.3",
            time: clock
        )
    }

    private let busyQuarter = InMemorySystem(samples: [
        ProcessorTimes(busy: 100, total: 1000), ProcessorTimes(busy: 125, total: 1100),
    ])

    @Test("system.info is the documented object with every alias")
    func info() async throws {
        let disk: JSONValue = [
            "total": 1000, "used": 750, "free": 250, "usagePercent": 75, "mountPoint": "/", "mount": "/",
            "device": "/dev/vda", "type": "ext4",
        ]
        let network: JSONValue = [
            "interface": "eth0", "interfaceName": "eth0", "ipv4": "192.168.1.7", "ip": "192.168.1.7",
            "bytesSent": .integer(.max), "sent": .integer(.max), "bytesReceived": 10, "received": 10, "up": true,
        ]
        let answer = try await skill(busyQuarter).call("system.info")
        #expect(
            answer["cpu"] == [
                "usage": .number(25), "usagePercent": .number(25), "cores": 8, "physicalCores": 4,
                "model": "Analytical Engine", "speed": 2400, "speedMhz": 2400,
                "loadAverage": [.number(0.5), .number(1.25), .number(2)],
            ]
        )
        #expect(
            answer["memory"] == [
                "total": 16_000, "used": 4000, "free": 12_000, "available": 12_000, "cached": 3000, "usagePercent": 25,
            ]
        )
        #expect(answer["disk"] == disk)
        #expect(answer["disks"]?.arrayValue?.map { $0["mount"] } == ["/", "/home"])
        #expect(answer["network"] == network)
        #expect(answer["uptime"] == 3600)
        #expect(answer["timestamp"] == 1_790_000_000_000)
    }

    @Test(
        "what sysinfo tells is nested under its topic and flat beside it",
        arguments: [
            ("sysinfo.getCPU", "cpu", "cores"), ("sysinfo.getMemory", "memory", "usagePercent"),
            ("sysinfo.getOS", "os", "hostname"), ("sysinfo.getBattery", "battery", "percent"),
            ("sysinfo.getTemperature", "temperature", "max"), ("sysinfo.getHardware", "hardware", "manufacturer"),
            ("sysinfo.getPerformance", "performance", "cpuUsage"), ("sysinfo.getUptime", "uptime", "seconds"),
        ]
    )
    func nested(method: String, topic: String, member: String) async throws {
        let answer = try await skill(busyQuarter).call(method)
        #expect(answer["success"] == true)
        #expect(answer[topic]?[member] != nil)
        #expect(answer[topic]?[member] == answer[member])
    }

    @Test("each topic says what is known of it")
    func topics() async throws {
        let skill = skill(busyQuarter)
        #expect(
            try await skill.call("sysinfo.getMemory")["swap"] == [
                "total": 2000, "used": 500, "free": 1500, "usagePercent": 25,
            ]
        )
        #expect(
            try await skill.call("sysinfo.getOS")["os"] == [
                "platform": "linux", "name": "Debian GNU/Linux 12 (bookworm)",
                "distro": "Debian GNU/Linux 12 (bookworm)", "version": "12", "release": "6.18.5", "kernel": "6.18.5",
                "arch": "x64", "hostname": "studio",
            ]
        )
        #expect(
            try await skill.call("sysinfo.getUptime")["uptime"] == [
                "uptime": 3600, "seconds": 3600, "bootTime": 1_789_996_400_000,
            ]
        )
        let battery = try await skill.call("sysinfo.getBattery")
        #expect(battery["hasBattery"] == true)
        #expect(battery["level"] == 71)
        #expect(battery["isCharging"] == false)
        #expect(battery["timeRemaining"] == 5400)
        let temperature = try await skill.call("sysinfo.getTemperature")
        #expect(temperature["cpu"] == .number(48.3))
        #expect(temperature["max"] == .number(60))
        #expect(try await skill.call("sysinfo.getHardware")["board"] == nil)
        #expect(try await skill.call("sysinfo.getHardware")["memoryTotal"] == 16_000)
        let performance = try await skill.call("sysinfo.getPerformance")
        #expect(performance["memoryUsage"] == 25)
        #expect(
            try await skill.call("system.getStatus") == [
                "success": true, "status": "online", "version": "1.2.3", "platform": "linux", "uptime": 3600,
                "timestamp": 1_790_000_000_000,
            ]
        )
        let about = try await skill.call("system.getInfo")
        #expect(about["appName"] == "Tandem")
        #expect(about["arch"] == "x64")
    }

    @Test("usage is measured since the last question; the first one, and one after a long time, looks twice")
    func usage() async throws {
        let system = InMemorySystem(samples: [
            ProcessorTimes(busy: 0, total: 0), ProcessorTimes(busy: 50, total: 100),
            ProcessorTimes(busy: 60, total: 200), ProcessorTimes(busy: 1000, total: 10_000),
            ProcessorTimes(busy: 1075, total: 10_100), ProcessorTimes(busy: 0, total: 5),
        ])
        let skill = skill(system)
        #expect(try await skill.usage() == 50)
        #expect(system.looksLeft == 4)
        #expect(try await skill.usage() == 50)
        #expect(system.looksLeft == 4)
        try await clock.sleep(for: .seconds(5))
        #expect(try await skill.usage() == 10)
        try await clock.sleep(for: .seconds(61))
        #expect(try await skill.usage() == 75)
        // Counters that were set back say nothing: what was known stays.
        try await clock.sleep(for: .seconds(5))
        #expect(try await skill.usage() == 75)
    }

    @Test("who asks for the last minutes gets them with the first answer, and nobody else does")
    func history() async throws {
        let system = InMemorySystem(samples: [
            ProcessorTimes(busy: 0, total: 0), ProcessorTimes(busy: 30, total: 100),
            ProcessorTimes(busy: 40, total: 200),
        ])
        let skill = skill(system)
        await skill.look()
        #expect(await skill.recorder.history == nil)
        try await clock.sleep(for: .seconds(5))
        await skill.look()
        let answer = try await skill.call("system.info", ["history": true])
        #expect(
            answer["history"] == [
                "stepSeconds": .number(5), "timestamp": 1_790_000_000_000, "cpu": [.number(30)],
                "memory": [.number(25)], "received": [.number(0)], "sent": [.number(0)],
            ]
        )
        #expect(
            try SystemSummary(wire: answer).history?.points == [
                SystemHistory.Point(processor: 30, memory: 25, received: 0, sent: 0)
            ]
        )
        #expect(try await skill.call("system.info")["history"] == nil)
        #expect(try await skill.call("system.info", ["history": "all of it"])["history"] == nil)
    }

    @Test("five minutes are kept, and none from before the computer slept")
    func fiveMinutes() async throws {
        let skill = skill(InMemorySystem())
        for _ in 0..<70 {
            await skill.look()
            try await clock.sleep(for: .seconds(5))
        }
        #expect(await skill.recorder.history?.points.count == 60)
        try await clock.sleep(for: .seconds(60))
        await skill.look()
        #expect(await skill.recorder.history?.points.count == 1)
    }

    @Test("a history of another program is read as far as it is one")
    func otherHistory() throws {
        func history(_ wire: JSONValue) throws -> SystemHistory? {
            try SystemSummary(wire: ["memory": ["total": 1], "history": wire]).history
        }
        #expect(try history("x") == nil)
        #expect(try history(["stepSeconds": 0, "cpu": [1]]) == nil)
        let uneven = try history(["stepSeconds": 5, "cpu": [1, "two", 3], "sent": [7]])
        #expect(uneven?.points.map(\.processor) == [1, nil, 3])
        #expect(uneven?.points.map(\.sent) == [nil, nil, 7])
        let long = JSONValue.array((0..<500).map { .integer($0) })
        #expect(try history(["stepSeconds": 5, "cpu": long])?.points.last?.processor == 499)
        #expect(try history(["stepSeconds": 5, "cpu": long])?.points.count == SystemHistory.limit)
    }

    @Test("services are limited, and without systemd -32006 says so")
    func services() async throws {
        let answer = try await skill(InMemorySystem()).call("sysinfo.getServices", ["limit": 2])
        #expect(
            answer["services"]?.arrayValue?.first == [
                "name": "s0.service", "description": "Service 0", "state": "active", "status": "active",
                "detail": "running", "running": true,
            ]
        )
        #expect(answer["total"] == 2)
        let absent = InMemorySystem(failure: .notRunning(service: "systemd", purpose: "The list of services"))
        #expect(
            try await skill(absent).refusal("sysinfo.getServices")
                == RemoteFailure(
                    code: -32006,
                    message: "The list of services needs systemd, which does not run on the computer."
                )
        )
        #expect(try await skill(absent).refusal("sysinfo.getServices", ["limit": 0])?.code == -32602)
    }

    @Test("the log is filtered by level and source, and what does not fit an answer is left out, said so")
    func logs() async throws {
        let system = InMemorySystem()
        let skill = skill(system)
        let answer = try await skill.call("sysinfo.getLogs", ["limit": 500, "level": "WARN", "source": "ssh.service"])
        #expect(system.asked == [LogQuery(limit: 500, level: .warning, source: "ssh.service")])
        #expect(answer["truncated"] == true)
        #expect(AnswerSize.fits(answer))
        let one = try await skill.call("sysinfo.getLogs", ["limit": 1, "level": "all", "source": "system"])
        #expect(one["total"] == 1)
        #expect(one["logs"]?.arrayValue?.first?["level"] == "error")
        #expect(system.asked.last == LogQuery(limit: 1))
    }

    @Test(
        "a level or source that is none is refused by name, and no source becomes an option",
        arguments: [
            (["level": "loud"], "level"), (["source": "--file=/etc/shadow"], "source"), (["source": "a b"], "source"),
            (["source": "a;b"], "source"), (["limit": 501], "limit"), (["limit": "many"], "limit"),
        ] as [(JSONValue, String)]
    )
    func refusedLogs(params: JSONValue, field: String) async throws {
        let system = InMemorySystem()
        let failure = try await skill(system).refusal("sysinfo.getLogs", params)
        #expect(failure?.code == -32602)
        #expect(failure?.message.hasPrefix("The parameter \(field) must be") == true)
        #expect(system.asked.isEmpty)
    }

    @Test("ping is for every paired phone, the state for those allowed it, the log is privileged")
    func permissions() {
        let methods = skill(InMemorySystem()).methods
        #expect(methods.count == 14)
        for method in methods {
            switch method.name {
            case "system.ping":
                #expect(method.permission == nil)
                #expect(method.risk == .safe)
            case "sysinfo.getLogs":
                #expect(method.permission == Permission(.systemLogs))
                #expect(method.risk == .privileged)
            default:
                #expect(method.permission == Permission(.systemInformation))
                #expect(method.risk == .safe)
            }
        }
    }
}
