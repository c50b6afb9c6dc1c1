package import CommandServer
import Commands
package import Foundation
import Kernel
import Rights

/// How this computer is doing. Source: `docs/protocol.md`, "Clipboard, screen and system".
package actor SystemSkill: RemoteSkill {
    /// Between the two looks that a first question needs.
    static let samplePause: Duration = .milliseconds(200)
    /// Looks further apart say nothing of how busy the computer is now.
    static let sampleLifetime: Duration = .seconds(60)

    let information: any SystemInformation
    private let version: String
    private let clock: any Clock<Duration>
    private let instant: @Sendable () -> ContinuousClock.Instant
    private let now: @Sendable () -> Date
    private var sample: (times: ProcessorTimes, at: ContinuousClock.Instant)?
    private var lastUsage: Double?

    /// - Parameters:
    ///   - version: Tandem's.
    ///   - instant: `clock`'s time.
    package init(
        information: any SystemInformation,
        version: String,
        clock: any Clock<Duration> = ContinuousClock(),
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.information = information
        self.version = version
        self.clock = clock
        self.instant = instant
        self.now = now
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            SystemMethods.ping(version: version, now: now),
            method("system.info") { _ in try await self.info() },
            method("system.getStatus") { _ in try await self.status() },
            method("system.getInfo") { _ in try await self.about() },
            method("sysinfo.getCPU") { _ in try await self.cpu() },
            method("sysinfo.getMemory") { _ in try await self.memory() },
            method("sysinfo.getOS") { _ in try await self.operatingSystem() },
            method("sysinfo.getUptime") { _ in try await self.uptime() },
            method("sysinfo.getBattery") { _ in try await self.battery() },
            method("sysinfo.getTemperature") { _ in try await self.temperature() },
            method("sysinfo.getHardware") { _ in try await self.hardware() },
            method("sysinfo.getPerformance") { _ in try await self.performance() },
            method("sysinfo.getServices") { try await self.services($0) },
            method("sysinfo.getLogs", needs: .systemLogs, risk: .privileged) { try await self.logs($0) },
        ]
    }

    private nonisolated func method(
        _ name: String,
        needs right: Right = .systemInformation,
        risk: Risk = .safe,
        _ run: @escaping @Sendable (RemoteParameters) async throws -> JSONValue
    ) -> RemoteMethod {
        RemoteMethod(name, needs: right, risk: risk) { params, _ in
            try await RemoteFailure.answering { try await run(params) }
        }
    }

    var timestamp: JSONValue { .integer(now().millisecondsSince1970) }

    /// How busy the processors were since somebody last asked; a first question waits for a second look.
    func usage() async throws -> Double {
        var earlier = sample
        if earlier.map({ instant() - $0.at > Self.sampleLifetime }) ?? true {
            earlier = (try await information.processorTimes(), instant())
            lastUsage = nil
            try await clock.sleep(for: Self.samplePause)
        }
        // Asked again at once: the counters may not have moved, or by too little to say anything.
        if let lastUsage, let earlier, instant() - earlier.at < Self.samplePause { return lastUsage }
        let times = try await information.processorTimes()
        let usage = earlier.flatMap { times.usage(since: $0.times) } ?? lastUsage ?? 0
        sample = (times, instant())
        lastUsage = usage
        return usage
    }

    private func status() async throws -> JSONValue {
        let system = try await information.operatingSystem()
        return [
            "success": true, "status": "online", "version": .string(version), "platform": .string(system.platform),
            "uptime": .integer(Int64(try await information.uptime())), "timestamp": timestamp,
        ]
    }

    private func about() async throws -> JSONValue {
        let system = try await information.operatingSystem()
        return [
            "success": true, "appName": "Tandem", "version": .string(version), "platform": .string(system.platform),
            "arch": .string(system.architecture), "hostname": .string(system.hostName),
            "osName": .string(system.name), "osVersion": .string(system.version), "kernel": .string(system.kernel),
        ]
    }
}
