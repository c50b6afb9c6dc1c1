package import Capabilities
package import CommandServer
import Commands
package import Kernel
package import SystemInfo

/// How this computer is doing. Source: `docs/protocol.md`, "Clipboard, screen and system".
package actor SystemSkill: CommandFeature {
    /// The time between the two looks that a first question needs.
    static let samplePause: Duration = .milliseconds(200)
    /// Looks further apart say nothing of how busy the computer is now.
    static let sampleLifetime: Duration = .seconds(60)

    /// The owner can give the rights also where the computer tells nothing of itself: they are part of what phones are offered at pairing.
    package static let manifest = FeatureManifest("system", rights: [.systemInformation, .systemLogs])

    let information: any SystemInformation
    let version: String
    private let time: any TimeSource
    private let ping: PingSkill
    private var sample: (times: ProcessorTimes, at: ContinuousClock.Instant)?
    private var lastUsage: Double?
    private let keepsHistory: Bool
    private(set) var recorder = SystemRecorder()

    /// - Parameters:
    ///   - version: Tandem's.
    ///   - keepsHistory: Whether it looks by itself every few seconds, so that a question can be answered with the last minutes.
    ///   - page: The page for phones; nil where the program has none.
    ///   - checks: Of what the computer tells of itself, for the person who looks after it.
    package init(
        information: any SystemInformation,
        version: String,
        time: any TimeSource = .system,
        keepsHistory: Bool = false,
        page: (@Sendable () async throws -> PageBundle)? = nil,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        self.information = information
        self.version = version
        self.time = time
        self.keepsHistory = keepsHistory
        ping = PingSkill(version: version, time: time, page: page, checks: checks)
    }

    /// - Parameters:
    ///   - information: Nil where the computer tells nothing of itself: then only ``PingSkill`` is served.
    ///   - keepsHistory: Whether the last minutes are kept, in memory, for whoever looks at this computer.
    ///   - page: The page for phones; nil where the program has none.
    ///   - checks: Of that, for the person who looks after this computer.
    package static func maker(
        information: (any SystemInformation)?,
        keepsHistory: Bool = false,
        page: (@Sendable () async throws -> PageBundle)? = nil,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            guard let information else {
                return PingSkill(version: context.version, time: context.time, page: page, checks: checks)
            }
            return SystemSkill(
                information: information,
                version: context.version,
                time: context.time,
                keepsHistory: keepsHistory,
                page: page,
                checks: checks
            )
        }
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            ping.methods,
            SystemMethods.info.served { query, _ in try await self.info(query) },
            SystemMethods.status.served { _, _ in try await self.status() },
            SystemMethods.program.served { [version] _, _ in
                ProgramFacts(version: version, system: try await self.information.operatingSystem())
            },
            SystemMethods.processor.served { _, _ in try await self.processor() },
            SystemMethods.memory.served { _, _ in MemoryAnswer(try await self.information.memory()) },
            SystemMethods.operatingSystem.served { _, _ in
                OperatingSystemAnswer(try await self.information.operatingSystem())
            },
            SystemMethods.uptime.served { _, _ in try await self.uptime() },
            SystemMethods.battery.served { _, _ in BatteryAnswer(try await self.information.batteries()) },
            SystemMethods.temperature.served { _, _ in
                TemperatureAnswer(try await self.information.temperatures())
            },
            SystemMethods.hardware.served { _, _ in try await self.hardware() },
            SystemMethods.performance.served { _, _ in try await self.performance() },
            SystemMethods.services.served { query, _ in try await self.services(query) },
            SystemMethods.logs.served { query, _ in try await self.logs(query) },
        ].flatMap(\.self)
    }

    package nonisolated func checks() async -> [DoctorCheck] { await ping.checks() }

    /// Looks every few seconds while the computer's program runs.
    package func run() async {
        guard keepsHistory else { return }
        repeat { await look() } while await time.pause(for: SystemRecorder.step)
    }

    /// Takes one point of the history. A figure that the computer does not tell is missing in that point alone.
    func look() async {
        let times = try? await information.processorTimes()
        let memory = try? await information.memory()
        let networks = try? await information.networks()
        recorder.take(times: times, memory: memory, networks: networks, at: time.now, date: timestamp)
    }

    var timestamp: Int64 { time.date.millisecondsSince1970 }

    /// How busy the processors were since the last question of any device; a first question waits for a second look.
    func usage() async throws -> Double {
        var earlier = sample
        if earlier.map({ time.now - $0.at > Self.sampleLifetime }) ?? true {
            earlier = (try await information.processorTimes(), time.now)
            lastUsage = nil
            try await time.sleep(for: Self.samplePause)
        }
        // Asked again at once: the counters may not have moved, or by too little to say anything.
        if let lastUsage, let earlier, time.now - earlier.at < Self.samplePause { return lastUsage }
        let times = try await information.processorTimes()
        let usage = earlier.flatMap { times.usage(since: $0.times) } ?? lastUsage ?? 0
        sample = (times, time.now)
        lastUsage = usage
        return usage
    }
}
