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
    /// - Parameter lastRun: Its end is said first, and this run's written down.
    static func run(
        _ services: [any Service],
        after lastRun: LastRun,
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
        var configuration = ServiceGroupConfiguration(
            services: services + [announcement, hangUps],
            logger: groupLogger
        )
        configuration.gracefulShutdownSignals = [.sigterm, .sigint]
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        if let words = lastRun.end?.words { Output.complain(words) }
        do {
            try await ServiceGroup(configuration: configuration).run()
            lastRun.over(nil)
        } catch {
            lastRun.over(error)
            throw error
        }
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
