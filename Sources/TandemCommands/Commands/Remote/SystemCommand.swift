import ArgumentParser
import Commands
import Control
import Foundation
import Kernel
import SystemInfo

struct SystemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "system",
        abstract: "How a paired computer is doing: processor, memory, disks, network and more.",
        discussion: """
            For example: tandem system, tandem system memory --watch, or tandem system logs --level error --source ssh.service
            """
    )

    enum Topic: String, CaseIterable, ExpressibleByArgument {
        case info, cpu, memory, os, uptime, battery, temperature, hardware, performance, services, logs
    }

    @OptionGroup var remote: RemoteOptions
    @Option(help: ArgumentHelp("Of services and logs: at most so many, 1 to 500.", valueName: "count"))
    var limit: Int = 50
    @Option(help: ArgumentHelp("Of logs: this and worse.", valueName: "level")) var level: LogLevel?
    @Option(
        help: ArgumentHelp("Of logs: of this program, or of a service, for example ssh.service.", valueName: "name")
    )
    var source: String?
    @Option(
        defaultAsFlag: 2,
        parsing: .next,
        help: ArgumentHelp(
            "Look again and again, so many seconds apart, until Ctrl-C. Comes after the topic.",
            valueName: "seconds"
        )
    )
    var watch: Double?
    @Argument(help: "What to show.") var topic: Topic = .info

    func validate() throws {
        guard (1...500).contains(limit) else { throw ValidationError("--limit is 1 to 500, not \(limit).") }
        guard topic == .logs || (level == nil && source == nil) else {
            throw ValidationError("--level and --source are for logs: tandem system logs")
        }
        if let watch, !(0.5...3600).contains(watch) {
            throw ValidationError("--watch is in seconds, 0.5 to 3600, not \(watch).")
        }
    }

    func run() async throws {
        let console = Running.console
        guard let watch else { return try await show { try Output.result($0) } }
        while true {
            try await show { block in
                guard console.isTerminal(.output) else { return try Output.result(block + "\n") }
                // In place: from the window's first row, and no more rows than it has.
                let rows = block.split(separator: "\n", omittingEmptySubsequences: false)
                    .prefix(max(1, (console.window()?.rows ?? 24) - 1)).joined(separator: "\n")
                try Output.result("\u{1B}[H\u{1B}[J\(rows)")
            }
            try await console.pause(for: .seconds(watch))
        }
    }

    private func show(_ print: (String) throws -> Void) async throws {
        guard !remote.global.json else {
            return try Output.json(try await remote.answer { _ = try await text(SystemClient($0)) })
        }
        try print(try await text(SystemClient(remote.peer)) ?? "The computer tells nothing of this.")
    }

    private func text(_ system: SystemClient) async throws -> String? {
        switch topic {
        case .info: SystemText.overview(try await overview(system))
        case .cpu: SystemText.processor(try await system.processor())
        case .memory: SystemText.memory(try await system.memory())
        case .os: SystemText.system(try await system.operatingSystem())
        case .uptime: SystemText.uptime(try await system.uptime())
        case .battery: SystemText.batteries(try await system.batteries())
        case .temperature: SystemText.temperatures(try await system.temperatures())
        case .hardware: SystemText.hardware(try await system.hardware())
        case .performance: SystemText.performance(try await system.performance())
        case .services: SystemText.services(try await system.services(limit: limit))
        case .logs: SystemText.logs(try await system.logs(LogQuery(limit: limit, level: level, source: source)))
        }
    }

    /// An overview for a person takes more than one answer; a computer that does not give one is shown without.
    private func overview(_ system: SystemClient) async throws -> SystemText.Overview {
        var overview = SystemText.Overview(summary: try await system.summary())
        guard !remote.global.json else { return overview }
        overview.system = try await given { try await system.operatingSystem() }
        overview.hardware = try await given { try await system.hardware() }
        overview.batteries = try await given { try await system.batteries() }
        overview.temperature = try await given { try await system.temperatures() }
        return overview
    }

    private func given<Answer>(_ ask: () async throws -> Answer) async throws -> Answer? {
        do {
            return try await ask()
        } catch ControlError.refused {
            return nil
        } catch RemoteError.malformedResult {
            return nil
        }
    }
}
