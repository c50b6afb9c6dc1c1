package import CommandServer
import Synchronization
package import SystemInfo
package import SystemInfoHost

/// A computer with figures that a test can reckon with.
package final class InMemorySystem: SystemInformation {
    private let samples: Mutex<[ProcessorTimes]>
    private let queries = Mutex<[LogQuery]>([])
    package let failure: ToolError?

    /// - Parameter samples: What the counters say, one look after another; the last one stays.
    package init(samples: [ProcessorTimes] = [ProcessorTimes(busy: 100, total: 1000)], failure: ToolError? = nil) {
        self.samples = Mutex(samples)
        self.failure = failure
    }

    package var looksLeft: Int { samples.withLock(\.count) }
    package var asked: [LogQuery] { queries.withLock(\.self) }

    package func processorTimes() async throws -> ProcessorTimes {
        samples.withLock { $0.count > 1 ? $0.removeFirst() : $0.first } ?? ProcessorTimes(busy: 0, total: 0)
    }

    package func processor() async throws -> ProcessorFacts {
        ProcessorFacts(model: "Analytical Engine", cores: 8, physicalCores: 4, speedMHz: 2400.4, load: [0.5, 1.25, 2])
    }

    package func memory() async throws -> MemoryFacts {
        MemoryFacts(total: 16_000, available: 12_000, cached: 3000, swapTotal: 2000, swapFree: 1500)
    }

    package func disks() async throws -> [DiskFacts] {
        [
            DiskFacts(mountPoint: "/", device: "/dev/vda", kind: "ext4", total: 1000, free: 250),
            DiskFacts(mountPoint: "/home", device: "/dev/vdb", kind: "xfs", total: 0, free: 0),
        ]
    }

    package func networks() async throws -> [NetworkFacts] {
        [
            NetworkFacts(
                name: "eth0",
                ipv4: "192.168.1.7",
                ipv6: nil,
                bytesReceived: 10,
                bytesSent: .max,
                isUp: true,
                isLoopback: false
            )
        ]
    }

    package func operatingSystem() async throws -> OperatingSystemFacts {
        OperatingSystemFacts(
            platform: "linux",
            name: "Debian GNU/Linux 12 (bookworm)",
            version: "12",
            kernel: "6.18.5",
            architecture: "x64",
            hostName: "studio"
        )
    }

    package func uptime() async throws -> Double { 3600.9 }

    package func batteries() async throws -> [BatteryFacts] {
        [BatteryFacts(name: "BAT0", percent: 71, state: .discharging, secondsLeft: 5400)]
    }

    package func temperatures() async throws -> [TemperatureFacts] {
        [
            TemperatureFacts(name: "nvme", celsius: 60.04, isProcessor: false),
            TemperatureFacts(name: "coretemp", celsius: 48.25, isProcessor: true),
        ]
    }

    package func hardware() async throws -> HardwareFacts {
        HardwareFacts(manufacturer: "Babbage", model: "No. 2", board: nil, firmware: "1.0")
    }

    package func services(limit: Int) async throws -> [ServiceFacts] {
        if let failure { throw failure }
        return (0..<(limit + 5)).map {
            ServiceFacts(name: "s\($0).service", summary: "Service \($0)", state: "active", detail: "running")
        }
    }

    package func logs(_ query: LogQuery) async throws -> [LogEntry] {
        if let failure { throw failure }
        queries.withLock { $0.append(query) }
        return (0..<query.limit).map { _ in
            LogEntry(timestamp: 1, level: .error, source: "sshd", message: String(repeating: "\u{1}", count: 4096))
        }
    }
}
