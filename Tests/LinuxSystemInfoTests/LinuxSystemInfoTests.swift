import Capabilities
import CommandServer
import Commands
import FeatureTesting
import Foundation
import Glibc
import Kernel
import LinuxSystemInfo
import SystemInfo
import SystemInfoHost
import Testing

@Suite("Linux about itself", .timeLimit(.minutes(5)))
struct LinuxSystemInfoTests {
    private let environment = ProcessInfo.processInfo.environment

    @Test("the skill describes this very computer")
    func thisComputer() async throws {
        let skill = SystemSkill(information: LinuxSystemInfo(environment: environment), version: "1.2.3")
        let info = try await skill.call("system.info")
        // A container may leave us fewer of them than there are.
        #expect((info["cpu"]?["cores"]?.integerValue ?? 0) >= Int64(ProcessInfo.processInfo.activeProcessorCount))
        guard case .number(let usage)? = info["cpu"]?["usage"] else {
            Issue.record("usage is \(String(describing: info["cpu"]?["usage"]))")
            return
        }
        #expect((0...100).contains(usage))
        let total = try #require(info["memory"]?["total"]?.integerValue)
        // Foundation asks sysconf; the kernel's own figure may differ by what it keeps to itself.
        #expect(abs(Double(total) / Double(ProcessInfo.processInfo.physicalMemory) - 1) < 0.05)
        #expect(info["disk"]?["mountPoint"] == "/")
        #expect((info["disk"]?["total"]?.integerValue ?? 0) > 0)
        #expect(info["network"]?["interface"]?.stringValue?.isEmpty == false)
        #expect((info["uptime"]?.integerValue ?? 0) > 0)
    }

    @Test("disks are counted as df counts: what is kept for root is neither used nor free")
    func disks() async throws {
        let disk = try #require(
            try await LinuxSystemInfo(environment: environment).disks().first { $0.mountPoint == "/" }
        )
        var space = statvfs()
        try #require(statvfs("/", &space) == 0)
        let block = UInt64(space.f_frsize)
        // Other programs write meanwhile: 1 GiB of it would be a lot.
        let used = (UInt64(space.f_blocks) - UInt64(space.f_bfree)) * block
        #expect(disk.used < used + 1 << 30 && used < disk.used + 1 << 30)
        #expect(disk.used + disk.free <= disk.total)
        let facts = DiskFacts(mountPoint: "/", device: "a", kind: "ext4", total: 1000, free: 200, used: 750)
        #expect(facts.used == 750)
        #expect(DiskFacts(mountPoint: "/", device: "a", kind: "ext4", total: 1000, free: 250).used == 750)
    }

    @Test("the system, its name and its addresses are known")
    func names() async throws {
        let information = LinuxSystemInfo(environment: environment)
        let system = try await information.operatingSystem()
        #expect(system.platform == "linux")
        #expect(system.kernel.first?.isNumber == true)
        #expect(["x64", "arm64"].contains(system.architecture))
        let networks = try await information.networks()
        let loopback = try #require(networks.first { $0.isLoopback })
        #expect(loopback.ipv4 == "127.0.0.1")
        #expect(loopback.isUp)
    }

    @Test("what the kernel does not tell is refused by the file's name; sensors and batteries are just absent")
    func nothing() async throws {
        try await RecordedFiles.with([:]) { root in
            let information = LinuxSystemInfo(environment: environment, root: root)
            await #expect(throws: SystemError.unreadable(source: "/proc/meminfo")) { try await information.memory() }
            await #expect(throws: SystemError.unreadable(source: "/proc/stat")) {
                try await information.processorTimes()
            }
            #expect(try await information.batteries() == [])
            #expect(try await information.temperatures() == [])
            let hardware = try await information.hardware()
            #expect(hardware == HardwareFacts(manufacturer: nil, model: nil, board: nil, firmware: nil))
        }
    }

    @Test("batteries by energy and by charge, without the mouse's")
    func batteries() async throws {
        let supplies = "/sys/class/power_supply"
        let files = [
            "\(supplies)/AC/type": "Mains\n", "\(supplies)/BAT0/type": "Battery\n", "\(supplies)/BAT0/capacity": "71\n",
            "\(supplies)/BAT0/status": "Discharging\n", "\(supplies)/BAT0/energy_now": "30000000\n",
            "\(supplies)/BAT0/energy_full": "42000000\n", "\(supplies)/BAT0/power_now": "10000000\n",
            "\(supplies)/BAT1/type": "Battery\n", "\(supplies)/BAT1/status": "Charging\n",
            "\(supplies)/BAT1/charge_now": "1000\n", "\(supplies)/BAT1/charge_full": "4000\n",
            "\(supplies)/BAT1/current_now": "-6000\n", "\(supplies)/mouse/type": "Battery\n",
            "\(supplies)/mouse/scope": "Device\n", "\(supplies)/mouse/capacity": "5\n",
        ]
        try await RecordedFiles.with(files) { root in
            let batteries = try await LinuxSystemInfo(environment: environment, root: root).batteries()
            #expect(
                batteries == [
                    BatteryFacts(name: "BAT0", percent: 71, state: .discharging, secondsLeft: 10_800),
                    BatteryFacts(name: "BAT1", percent: 25, state: .charging, secondsLeft: 1800),
                ]
            )
        }
    }

    @Test("temperatures by the sensors' names, else by thermal zones, without sensors that are not connected")
    func temperatures() async throws {
        let zone = "/sys/class/thermal/thermal_zone0"
        let zones = ["\(zone)/type": "x86_pkg_temp\n", "\(zone)/temp": "51500\n"]
        let sensor = "/sys/class/hwmon/hwmon0"
        let sensors = [
            "\(sensor)/name": "coretemp\n", "\(sensor)/temp1_input": "48000\n",
            "\(sensor)/temp1_label": "Package id 0\n", "\(sensor)/temp2_input": "-273000\n",
            "\(sensor)/fan1_input": "1200\n",
        ]
        try await RecordedFiles.with(zones) { root in
            let temperatures = try await LinuxSystemInfo(environment: environment, root: root).temperatures()
            #expect(temperatures == [TemperatureFacts(name: "x86_pkg_temp", celsius: 51.5, isProcessor: true)])
        }
        try await RecordedFiles.with(zones.merging(sensors) { $1 }) { root in
            let temperatures = try await LinuxSystemInfo(environment: environment, root: root).temperatures()
            #expect(temperatures == [TemperatureFacts(name: "coretemp Package id 0", celsius: 48, isProcessor: true)])
        }
    }

    @Test("services and the log come from the system's programs, asked for exactly what is wanted")
    func programs() async throws {
        let line = #"{"__REALTIME_TIMESTAMP":"1000","PRIORITY":"4","SYSLOG_IDENTIFIER":"test","MESSAGE":"#
        let files = [
            "/run/systemd/system/x": "", "/bin/systemctl": "#!/bin/sh\necho 'a.service loaded active running A'\n",
            "/bin/journalctl": "#!/bin/sh\nprintf '%s\"%s\"}\\n' '\(line)' \"$*\"\n",
        ]
        try await RecordedFiles.with(files) { root in
            let information = LinuxSystemInfo(environment: ["PATH": "\(root)/bin"], root: root)
            let services = try await information.services(limit: 5)
            #expect(
                services == [ServiceFacts(name: "a.service", summary: "A", state: "active", detail: "running")]
            )
            let query = LogQuery(limit: 7, level: .warning, source: "ssh.service")
            #expect(
                try await information.logs(query).map(\.message) == [
                    "--no-pager --output=json --reverse --lines=7 --priority=4 --unit=ssh.service"
                ]
            )
            let other = LogQuery(limit: 1, source: "sshd")
            #expect(try await information.logs(other).first?.message.hasSuffix("--identifier=sshd") == true)
        }
    }

    @Test("a computer without systemd, without its programs, or with a log that is not for us says so")
    func absent() async throws {
        try await RecordedFiles.with(["/bin/journalctl": "#!/bin/sh\nexit 0\n"]) { root in
            let information = LinuxSystemInfo(environment: ["PATH": "\(root)/bin"], root: root)
            await #expect(throws: ToolError.notRunning(service: "systemd", purpose: "The list of services")) {
                try await information.services(limit: 1)
            }
            await #expect(throws: ToolError.notRunning(service: "systemd", purpose: "The log")) {
                try await information.logs(LogQuery(limit: 1))
            }
        }
        let refusing = "#!/bin/sh\necho 'No journal files were opened due to insufficient permissions.' >&2\nexit 1\n"
        try await RecordedFiles.with(["/run/systemd/system/x": "", "/bin/journalctl": refusing]) { root in
            let information = LinuxSystemInfo(environment: ["PATH": "\(root)/bin"], root: root)
            await #expect(throws: ToolError.missing(tool: "systemctl", package: "systemd")) {
                try await information.services(limit: 1)
            }
            let reason = "No journal files were opened due to insufficient permissions."
            await #expect(throws: ToolError.failed(tool: "journalctl", reason: reason)) {
                try await information.logs(LogQuery(limit: 1))
            }
        }
    }

    @Test("doctor names what there is of it and what is missing")
    func checks() async {
        let checks = await LinuxSystemInfo.checks(environment: ["PATH": "/nowhere"])
        #expect(checks.map(\.name) == ["System", "Services", "Log"])
        #expect(checks.map(\.works) == [true, false, false])
        #expect(
            checks.last?.detail
                == "The computer lacks the program journalctl. Install it there: sudo apt install systemd."
        )
    }
}
