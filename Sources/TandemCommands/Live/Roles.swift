import Control
import Foundation
import Kernel
import Logging
import ServiceLifecycle
import SignalingServer
import TandemHub
import UnixSignals

/// Runs services until a signal ends them in reverse order, and says on stdout when they are up.
enum Roles {
    /// - Parameters:
    ///   - lastRun: Its end is said first, and this run's written down.
    ///   - restart: By which the role ends and begins again in this process; nil where only its person does that.
    static func run(
        _ services: [any Service],
        after lastRun: LastRun,
        restarting restart: ProgramRestart? = nil,
        announcing words: @escaping @Sendable () async throws -> String,
        reloading reload: @escaping @Sendable () throws -> Void = {},
        logger: Logger
    ) async throws {
        DescriptorLimit.raise()
        let announcement = StartNotice(
            controls: services.compactMap { ($0 as? ControlServer) ?? ($0 as? Hub)?.controlServer },
            words: words
        )
        let hangUps = HangUps(reload: reload, terminal: StartingTerminal.ofThisProcess(), logger: logger)
        // At debug level the group writes out each service whole, with everything it holds.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .info)
        var parts = (services + [announcement, hangUps]).map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0)
        }
        if let restart {
            parts.append(
                .init(service: RestartWatch(restart: restart), successTerminationBehavior: .gracefullyShutdownGroup)
            )
        }
        var configuration = ServiceGroupConfiguration(services: parts, logger: groupLogger)
        configuration.gracefulShutdownSignals = [.sigterm, .sigint]
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        if let words = lastRun.end?.words { Output.complain(words) }
        // Whoever ends the process while it is about to begin again means its end.
        let ends = restart.map { restart in
            Task { for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { restart.withdraw() } }
        }
        defer { ends?.cancel() }
        do {
            try await ServiceGroup(configuration: configuration).run()
            lastRun.over(nil)
        } catch {
            lastRun.over(error)
            // The next start says how this run ended, and somebody waits for it.
            guard restart?.isWanted == true else { throw error }
        }
        try restart?.perform()
    }
}

/// Prints one value or some lines once the services answer, and take commands from the program that reads that.
private struct StartNotice: Service {
    let controls: [ControlServer]
    let words: @Sendable () async throws -> String

    func run() async throws {
        let words = try await words()
        for control in controls { await control.listening() }
        try Output.result(words)
        try? await gracefulShutdown()  // cancelled: the same end
    }
}

/// Ends the role in order once it is to begin again.
private struct RestartWatch: Service {
    let restart: ProgramRestart

    func run() async throws { await cancelWhenGracefulShutdown { await restart.untilAsked() } }
}

/// SIGHUP is how an administrator says that the certificate on disk is a new one, and how the system says that the
/// terminal's window was closed: then the role ends as on SIGTERM, since it would go on where nobody sees it.
private struct HangUps: Service {
    let reload: @Sendable () throws -> Void
    /// Nil: SIGHUP is about the certificate only.
    let terminal: StartingTerminal?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let terminal, terminal.isHungUp {
                end()
                continue
            }
            do {
                try reload()
            } catch {
                logger.error("settings not read again", metadata: ["reason": "\(error)"])
            }
            if let terminal, await cancelWhenGracefulShutdown({ await Self.hangsUp(terminal) }) { end() }
        }
    }

    private func end() {
        logger.notice("the terminal was closed")
        // It comes twice, from the shell and from the system, and the second one must not end what is being ended.
        signal(SIGHUP, SIG_IGN)
        kill(getpid(), SIGTERM)
    }

    /// Whether it is closed within two seconds: some terminals tell their programs before they close the window.
    private static func hangsUp(_ terminal: StartingTerminal) async -> Bool {
        for _ in 0..<10 {
            guard await SystemTime().pause(for: .milliseconds(200)) else { return false }
            if terminal.isHungUp { return true }
        }
        return false
    }
}
