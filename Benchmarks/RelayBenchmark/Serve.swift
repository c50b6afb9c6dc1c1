import ArgumentParser
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import SignalingServer

/// The relay under test, alone in its process, with no limits on what one socket may send.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the relay and print its port.", shouldDisplay: false)

    func run() async throws {
        var configuration = SignalingServerConfiguration()
        configuration.address = "127.0.0.1"
        configuration.port = 0
        configuration.limits.socketMessages = .unlimited
        configuration.limits.socketBytes = .unlimited
        var logger = Logger(label: "benchmark")
        logger.logLevel = .error
        let server = try SignalingServer(configuration: configuration, database: DatabaseQueue(), logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            print(try await server.boundPort())
            fflush(nil)
            try await group.waitForAll()
        }
    }
}
