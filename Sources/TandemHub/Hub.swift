package import Control
import Foundation
package import Kernel
package import Logging
import ServiceLifecycle
package import SignalingServer
import Storage

/// A hub: the signaling server and its mailbox on a state folder of its own.
package struct Hub: Service {
    /// Relays between devices, and keeps mail for those that are away.
    package let server: SignalingServer
    /// What commands on the hub's state folder can ask.
    package let control: ControlTable
    package let controlServer: ControlServer
    private let lock: FolderLock

    /// - Throws: What is wrong with the state folder, its database or the certificate.
    package init(
        folder: StateFolder,
        server configuration: SignalingServerConfiguration,
        version: String,
        metrics: PrometheusMetrics? = nil,
        logger: Logger
    ) throws {
        lock = try FolderLock(folder)
        var configuration = configuration
        configuration.version = version
        let server = try SignalingServer(
            configuration: configuration,
            database: try StateDatabase.open(folder.databaseURL, schema: .hub),
            logger: logger,
            metrics: metrics
        )
        self.server = server
        let control = ControlTable(HubControl(server: server, configuration: configuration, version: version).routes)
        self.control = control
        controlServer = ControlServer(folder: folder, handler: control, logger: logger)
    }

    /// Runs until shutdown or cancellation, or until one part fails.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await controlServer.run() }
            // Whichever ends first ends the other: a hub with half of its parts is no hub.
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
