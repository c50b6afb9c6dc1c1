package import Capabilities
import CommandServer
import Glibc
package import Kernel
package import SystemInfo
package import SystemInfoHost
import SystemTools

/// The facts of a Linux system: from /proc and /sys, from its C library, from systemctl and journalctl.
package struct LinuxSystemInfo: SystemInformation {
    private static let systemctl = SystemTool("systemctl", package: "systemd")
    private static let journalctl = SystemTool("journalctl", package: "systemd")

    private let files: SystemFiles
    private let runner: ToolRunner

    /// - Parameters:
    ///   - environment: Says where programs are.
    ///   - root: Before the paths of /proc, /sys and /etc: where a test has recorded ones.
    package init(
        environment: [String: String],
        time: any TimeSource = .system,
        root: String = ""
    ) {
        files = SystemFiles(root: root)
        // Its words are read by us, in English.
        let english = environment.merging(["LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0", "SYSTEMD_PAGER": ""]) { $1 }
        runner = ToolRunner(environment: english, time: time)
    }

    package func processorTimes() async throws -> ProcessorTimes {
        try read("/proc/stat", ProcessorFiles.times)
    }

    package func processor() async throws -> ProcessorFacts {
        let load = files.text("/proc/loadavg").map(ProcessorFiles.load) ?? []
        var facts = try read("/proc/cpuinfo") { ProcessorFiles.facts($0, load: load) }
        if facts.speedMHz == nil, let kilohertz = files.number("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq")
        {
            facts.speedMHz = Double(kilohertz) / 1000
        }
        return facts
    }

    package func memory() async throws -> MemoryFacts { try read("/proc/meminfo", MemoryFile.facts) }

    package func disks() async throws -> [DiskFacts] {
        try read("/proc/self/mounts", MountTable.disks).compactMap { mount in
            var space = statvfs()
            // A mount that is gone again, or not for us to see, is left out.
            guard statvfs(mount.point, &space) == 0 else { return nil }
            let block = UInt64(space.f_frsize)
            let taken = UInt64(space.f_blocks) - min(UInt64(space.f_bfree), UInt64(space.f_blocks))
            return DiskFacts(
                mountPoint: mount.point,
                device: mount.device,
                kind: mount.kind,
                total: UInt64(space.f_blocks).multipliedReportingOverflow(by: block).partialValue,
                free: UInt64(space.f_bavail).multipliedReportingOverflow(by: block).partialValue,
                used: taken.multipliedReportingOverflow(by: block).partialValue
            )
        }
    }

    package func networks() async throws -> [NetworkFacts] {
        let traffic = try read("/proc/net/dev", NetworkFiles.traffic)
        let addresses = NetworkAddresses.current()
        let preferred = files.text("/proc/net/route").flatMap(NetworkFiles.defaultInterface)
        let networks = traffic.map { name, traffic in
            let interface = addresses[name] ?? NetworkAddresses.Interface()
            return NetworkFacts(
                name: name,
                ipv4: interface.ipv4,
                ipv6: interface.ipv6,
                bytesReceived: traffic.received,
                bytesSent: traffic.sent,
                isUp: interface.isUp,
                isLoopback: interface.isLoopback || name == "lo"
            )
        }
        return networks.sorted { Self.rank($0, preferred) < Self.rank($1, preferred) }
    }

    /// The default route's, then what is up and has an address, loopback last; by name where that says nothing.
    private static func rank(_ network: NetworkFacts, _ preferred: String?) -> (Int, String) {
        if network.name == preferred { return (0, network.name) }
        if network.isLoopback { return (3, network.name) }
        return (network.isUp && network.ipv4 != nil ? 1 : 2, network.name)
    }

    package func operatingSystem() async throws -> OperatingSystemFacts {
        let release = files.text("/etc/os-release").map(ReleaseFile.values) ?? [:]
        var names = utsname()
        guard uname(&names) == 0 else { throw SystemError.unreadable(source: "uname") }
        let machine = Self.text(names.machine)
        return OperatingSystemFacts(
            platform: "linux",
            name: release["PRETTY_NAME"] ?? release["NAME"] ?? "Linux",
            version: release["VERSION_ID"] ?? "",
            kernel: Self.text(names.release),
            architecture: ["x86_64": "x64", "aarch64": "arm64", "i686": "ia32", "armv7l": "arm"][machine] ?? machine,
            hostName: Self.text(names.nodename)
        )
    }

    package func uptime() async throws -> Double { try read("/proc/uptime", ProcessorFiles.uptime) }

    package func batteries() async throws -> [BatteryFacts] { PowerSupplies.batteries(files) }

    package func temperatures() async throws -> [TemperatureFacts] { Sensors.temperatures(files) }

    package func hardware() async throws -> HardwareFacts {
        let folder = "/sys/class/dmi/id"
        return HardwareFacts(
            manufacturer: files.line("\(folder)/sys_vendor"),
            // Boards without DMI, such as most with ARM, have a device tree.
            model: files.line("\(folder)/product_name")
                ?? files.line("/proc/device-tree/model")?.split(separator: "\0").first.map(String.init),
            board: files.line("\(folder)/board_name"),
            firmware: files.line("\(folder)/bios_version")
        )
    }

    package func services(limit: Int) async throws -> [ServiceFacts] {
        guard isSystemdRunning else { throw ToolError.notRunning(service: "systemd", purpose: "The list of services") }
        let arguments = ["list-units", "--type=service", "--all", "--no-pager", "--plain", "--no-legend", "--full"]
        let result = try await runner.run(Self.systemctl, arguments, outputLimit: 4 << 20)
            .successful(Self.systemctl)
        return SystemctlUnits.services(result.text, limit: limit)
    }

    package func logs(_ query: LogQuery) async throws -> [LogEntry] {
        var arguments = ["--no-pager", "--output=json", "--reverse", "--lines=\(query.limit)"]
        if let level = query.level { arguments.append("--priority=\(level.priority)") }
        if let source = query.source {
            arguments.append(source.hasSuffix(".service") ? "--unit=\(source)" : "--identifier=\(source)")
        }
        let result = try await runner.run(Self.journalctl, arguments, outputLimit: 8 << 20)
            .successful(Self.journalctl)
        let entries = JournalLines.entries(result.output)
        if entries.isEmpty, !isSystemdRunning {
            throw ToolError.notRunning(service: "systemd", purpose: "The log")
        }
        return entries
    }

    /// Whether systemd runs, found as sd_booted(3) does.
    private var isSystemdRunning: Bool { access(files.root + "/run/systemd/system", F_OK) == 0 }

    private func read<Value>(_ path: String, _ parse: (String) -> Value?) throws(SystemError) -> Value {
        guard let value = files.text(path).flatMap(parse) else { throw .unreadable(source: path) }
        return value
    }

    /// A C array of characters, which Swift sees as a tuple, up to its end.
    private static func text<Tuple>(_ tuple: Tuple) -> String {
        withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The checks of the system for `tandem doctor`.
    package static func checks(environment: [String: String]) async -> [DoctorCheck] {
        let system = LinuxSystemInfo(environment: environment)
        return [
            await .finding("System") {
                let (processor, memory) = (try await system.processor(), try await system.memory())
                return (
                    "\(processor.cores) cores, \(memory.total >> 20) MiB of memory", "systemKnown",
                    ["cores": .integer(Int64(processor.cores)), "bytes": .integer(Int64(clamping: memory.total))]
                )
            },
            await .finding("Services") {
                let count = try await system.services(limit: 1000).count
                return ("\(count) listed by systemctl", "servicesListed", ["count": .integer(Int64(count))])
            },
            await .finding("Log") {
                _ = try await system.logs(LogQuery(limit: 1))
                return ("read by journalctl", "logRead", nil)
            },
        ]
    }
}
