import FeatureTesting
import SystemInfo
import SystemInfoHost

/// A computer whose figures never change, each look at them noted.
final class RecordingSystem: SystemInformation {
    private let system = InMemorySystem(samples: [
        ProcessorTimes(busy: 100, total: 1000), ProcessorTimes(busy: 350, total: 2000),
    ])
    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    private func noting<Value>(_ question: String, _ answer: () async throws -> Value) async throws -> Value {
        log.note("look at \(question)")
        return try await answer()
    }

    func processorTimes() async throws -> ProcessorTimes {
        try await noting("the processor's times") { try await system.processorTimes() }
    }

    func processor() async throws -> ProcessorFacts {
        try await noting("the processor") { try await system.processor() }
    }

    func memory() async throws -> MemoryFacts { try await noting("memory") { try await system.memory() } }

    func disks() async throws -> [DiskFacts] { try await noting("disks") { try await system.disks() } }

    func networks() async throws -> [NetworkFacts] { try await noting("networks") { try await system.networks() } }

    func operatingSystem() async throws -> OperatingSystemFacts {
        try await noting("the system") { try await system.operatingSystem() }
    }

    func uptime() async throws -> Double { try await noting("uptime") { try await system.uptime() } }

    func batteries() async throws -> [BatteryFacts] { try await noting("batteries") { try await system.batteries() } }

    func temperatures() async throws -> [TemperatureFacts] {
        try await noting("temperatures") { try await system.temperatures() }
    }

    func hardware() async throws -> HardwareFacts { try await noting("hardware") { try await system.hardware() } }

    func services(limit: Int) async throws -> [ServiceFacts] {
        try await noting("services") { try await system.services(limit: limit) }
    }

    func logs(_ query: LogQuery) async throws -> [LogEntry] {
        try await noting("logs") {
            (0..<min(query.limit, 2)).map { index in
                LogEntry(timestamp: 1_790_000_000_000 - Int64(index), level: .error, source: "sshd", message: "No.")
            }
        }
    }
}
