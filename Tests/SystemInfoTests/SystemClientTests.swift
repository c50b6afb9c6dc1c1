import Capabilities
import CommandServer
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import SystemInfo
import SystemInfoHost
import Testing

@Suite("A computer as a phone sees it", .timeLimit(.minutes(5)))
struct SystemClientTests {
    private let clock = ImmediateClock()
    private let date = Date(timeIntervalSince1970: 1_790_000_000)
    private let system = InMemorySystem(samples: [
        ProcessorTimes(busy: 100, total: 1000), ProcessorTimes(busy: 125, total: 1100),
    ])

    private var client: SystemClient {
        let skill = SystemSkill(
            information: system,
            version: "1.2.3",
            time: clock
        )
        return SystemClient(ScriptedPeer(skill))
    }

    @Test("the summary holds the facts as the computer has them")
    func summary() async throws {
        let summary = try await client.summary()
        #expect(summary.usage == 25)
        #expect(summary.processor.model == "Analytical Engine")
        #expect(summary.processor.speedMHz == 2400)
        #expect(summary.processor.load == [0.5, 1.25, 2])
        #expect(summary.memory.used == 4000)
        #expect(summary.memory.usedPercent == 25)
        #expect(try await summary.disks == system.disks())
        #expect(summary.networks.first?.ipv4 == "192.168.1.7")
        #expect(summary.networks.first?.bytesSent == UInt64(Int64.max))
        #expect(summary.uptime == 3600)
    }

    @Test("each topic's facts are what the computer knows")
    func topics() async throws {
        let client = client
        #expect(try await client.ping() == Pong(timestamp: 1_790_000_000_000, version: "1.2.3"))
        #expect(try await client.status().platform == "linux")
        #expect(try await client.program().system == system.operatingSystem())
        #expect(try await client.operatingSystem() == system.operatingSystem())
        #expect(try await client.processor().processor.physicalCores == 4)
        #expect(try await client.memory() == system.memory())
        #expect(try await client.uptime() == UptimeAnswer(seconds: 3600, bootTime: 1_789_996_400_000))
        #expect(try await client.batteries() == system.batteries())
        let temperatures = try await client.temperatures()
        #expect(temperatures.main == 48.3)
        #expect(temperatures.highest == 60)
        #expect(temperatures.sensors.map(\.name) == ["nvme", "coretemp"])
        let hardware = try await client.hardware()
        #expect(try await hardware.hardware == system.hardware())
        #expect(hardware.memoryTotal == 16_000)
        let performance = try await client.performance()
        #expect(performance.usage == 25)
        #expect(performance.memoryUsage == 25)
        let services = try await client.services(limit: 2)
        #expect(services.services.map(\.name) == ["s0.service", "s1.service"])
        #expect(services.services.first?.isRunning == true)
        let logs = try await client.logs(LogQuery(limit: 3, level: .warning, source: "sshd"))
        #expect(logs.entries.count == 3)
        #expect(system.asked == [LogQuery(limit: 3, level: .warning, source: "sshd")])
    }

    @Test("where the computer tells nothing of itself, ping is served, and nothing else")
    func pingAlone() async throws {
        let check = DoctorCheck(name: "System", works: false, detail: "unknown")
        let skill = PingSkill(version: "1.2.3", time: clock, checks: { [check] })
        #expect(skill.methods.map(\.name) == ["system.ping"])
        #expect(
            try await skill.call("system.ping") == ["pong": true, "ts": 1_790_000_000_000, "version": "1.2.3"]
        )
        #expect(await skill.checks() == [check])
    }

    @Test("the page for phones is told to every paired phone, where the program has one")
    func page() async throws {
        for bundle in [PageBundle(version: "1.2.3", hash: "ab12"), PageBundle(version: "1.2.3", hash: nil)] {
            let skill = PingSkill(version: "1.2.3", time: clock, page: { bundle })
            #expect(skill.methods.map(\.name) == ["system.ping", "system.getPage"])
            let answer = try await skill.call("system.getPage")
            #expect(answer == bundle.wire)
            #expect(try PageBundle(wire: answer) == bundle)
        }
        #expect(throws: RemoteError.malformedResult) { try PageBundle(wire: ["sha256": "ab12"]) }
    }

    @Test(
        "parameters read what they write",
        arguments: [LogQuery(), LogQuery(limit: 500, level: .debug, source: "ssh.service")]
    )
    func queries(query: LogQuery) throws {
        #expect(try LogQuery(wire: RemoteParameters(query.wire)) == query)
        #expect(try ServiceQuery(wire: RemoteParameters(ServiceQuery(limit: 7).wire)).limit == 7)
        #expect(try ServiceQuery(wire: RemoteParameters([:])).limit == 50)
    }

    @Test("members are found flat, under their topic, and under other programs' names")
    func otherShapes() throws {
        #expect(try UptimeAnswer(wire: ["uptime": 7]).seconds == 7)
        #expect(try UptimeAnswer(wire: ["uptime": ["seconds": 8]]).seconds == 8)
        #expect(try MemoryAnswer(wire: ["total": 10, "used": 4]).memory.available == 6)
        #expect(try MemoryAnswer(wire: ["memory": ["total": 10, "free": 4]]).memory.used == 6)
        #expect(try BatteryAnswer(wire: ["level": 50, "isCharging": true]).batteries.map(\.state) == [.charging])
        #expect(try BatteryAnswer(wire: ["hasBattery": false, "percent": 0]).batteries.isEmpty)
        #expect(try ProcessorAnswer(wire: ["cpu": ["usagePercent": 3, "cores": 2]]).usage == 3)
        #expect(try OperatingSystemAnswer(wire: ["os": ["distro": "Debian", "release": "6"]]).system.kernel == "6")
        let one: JSONValue = ["memory": ["total": 1], "disk": ["total": 2, "mount": "/"], "network": ["name": "eth0"]]
        let summary = try SystemSummary(wire: one)
        #expect(summary.disks.map(\.mountPoint) == ["/"])
        #expect(summary.networks.map(\.name) == ["eth0"])
        #expect(
            try ServiceList(wire: ["services": [["name": "a", "running": true], 7]]).services.map(\.isRunning) == [true]
        )
        #expect(
            try LogPage(wire: ["logs": [["message": "m", "level": "WARN"], [:]]]).entries.map(\.level) == [.warning]
        )
        #expect(try Pong(wire: ["pong": true]) == Pong(timestamp: nil, version: nil))
    }

    @Test("an answer that is none is not taken for one", arguments: [.null, [], "x", 7] as [JSONValue])
    func hostile(answer: JSONValue) async {
        let client = SystemClient(ScriptedPeer(answering: answer))
        await #expect(throws: RemoteError.malformedResult) { try await client.ping() }
        await #expect(throws: RemoteError.malformedResult) { try await client.summary() }
        await #expect(throws: RemoteError.malformedResult) { try await client.memory() }
        await #expect(throws: RemoteError.malformedResult) { try await client.services() }
        await #expect(throws: RemoteError.malformedResult) { try await client.logs() }
    }

    @Test("figures that none can be are not believed, and stop nothing")
    func hugeFigures() throws {
        let huge = JSONValue.number(1e300)
        #expect(throws: RemoteError.malformedResult) { try UptimeAnswer(wire: ["seconds": huge]) }
        #expect(throws: RemoteError.malformedResult) { try MemoryAnswer(wire: ["total": -1]) }
        #expect(try MemoryAnswer(wire: ["total": 1, "used": .integer(.max)]).memory.available == 0)
        #expect(try BatteryAnswer(wire: ["percent": huge]).batteries.map(\.percent) == [100])
        #expect(try ProcessorAnswer(wire: ["cores": huge, "speed": huge]).processor.cores == 0)
        let disk: JSONValue = ["total": .integer(.max), "used": .integer(.max), "free": .integer(.max)]
        let disks = try SystemSummary(wire: ["memory": ["total": 1], "disks": [disk]]).disks
        #expect(disks.map(\.usedPercent) == [50])
        let many = JSONValue.array(Array(repeating: ["name": "a"], count: 5000))
        #expect(try ServiceList(wire: ["services": many]).services.count == 1000)
        #expect(try ProcessorAnswer(wire: ["speed": huge]).wire["speed"] == nil)
    }
}
