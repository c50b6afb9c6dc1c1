import Control
import Foundation
import Logging
import ServiceLifecycle
import SignalingServer
import TandemHub
import UnixSignals

/// Runs services until a signal ends them in reverse order, and says on stdout when they are up.
enum Roles {
    static func run(
        _ services: [any Service],
        announcing words: @escaping @Sendable () async throws -> String,
        reloading reload: @escaping @Sendable () throws -> Void = {},
        logger: Logger
    ) async throws {
        DescriptorLimit.raise()
        let announcement = Announcement(
            controls: services.compactMap { ($0 as? ControlServer) ?? ($0 as? Hub)?.controlServer },
            words: words
        )
        let hangUps = HangUps(reload: reload, logger: logger)
        // At debug level the group writes out each service whole, with everything it holds.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services + [announcement, hangUps],
            logger: groupLogger
        )
        configuration.gracefulShutdownSignals = [.sigterm, .sigint]
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Prints one value or some lines once the services answer, and take commands from the program that reads that.
private struct Announcement: Service {
    let controls: [ControlServer]
    let words: @Sendable () async throws -> String

    func run() async throws {
        let words = try await words()
        for control in controls { await control.listening() }
        try Output.result(words)
        try? await gracefulShutdown()  // cancelled: the same end
    }
}

/// SIGHUP is how an administrator says that the certificate on disk is a new one.
private struct HangUps: Service {
    let reload: @Sendable () throws -> Void
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                try reload()
            } catch {
                logger.error("settings not read again", metadata: ["reason": "\(error)"])
            }
        }
    }
}
