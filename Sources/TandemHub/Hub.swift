package import Control
import Foundation
package import GRDB
package import Kernel
package import Logging
import ServiceLifecycle
package import SignalingServer
import Storage

/// A hub: the signaling server and its mailbox on a state folder of its own.
package struct Hub: Service {
    /// Relays between devices, and keeps mail for those that are away.
    package let server: SignalingServer
    /// The table of requests that commands on the hub's state folder can make.
    package let control: ControlTable
    package let controlServer: ControlServer
    private let lock: FolderLock
    private let recorder: HubRecorder

    /// The parts that a neighbour of a hub on its machine, such as its page, is made of.
    package struct Parts: Sendable {
        /// Requests that commands on its state folder can make of the hub's own parts.
        package let routes: [ControlRoute]
        package let topics: [ControlTopic]
        package let database: any DatabaseWriter
    }

    /// - Parameter makeControl: What commands on its state folder can ask, of the hub and of what stands beside it.
    /// - Throws: What is wrong with the state folder, its database or the certificate; what `makeControl` throws.
    package init(
        folder: StateFolder,
        server configuration: SignalingServerConfiguration,
        version: String,
        metrics: PrometheusMetrics? = nil,
        logger: Logger,
        control makeControl: (Parts) throws -> ControlTable = { ControlTable($0.routes) }
    ) throws {
        lock = try FolderLock(folder)
        var configuration = configuration
        configuration.version = version
        let database = try StateDatabase.open(folder.databaseURL, schema: .hub)
        let server = try SignalingServer(
            configuration: configuration,
            database: database,
            logger: logger,
            metrics: metrics
        )
        self.server = server
        let place = folder.url
        let makeMeter: @Sendable () -> HubMeter = { HubMeter(server: server, folder: place, time: .system) }
        let recorder = HubRecorder(meter: makeMeter(), time: .system)
        self.recorder = recorder
        let control = try makeControl(
            Parts(
                routes: HubControl(
                    server: server,
                    configuration: configuration,
                    version: version,
                    meter: makeMeter(),
                    recorder: recorder,
                    startedAt: Date().millisecondsSince1970
                ).routes,
                topics: HubTopics(makeMeter: makeMeter, time: .system).all,
                database: database
            )
        )
        self.control = control
        controlServer = ControlServer(folder: folder, handler: control, logger: logger)
    }

    /// Runs until shutdown or cancellation, or until one part fails.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await controlServer.run() }
            group.addTask { await recorder.run() }
            // Whichever ends first ends the others: a hub with half of its parts is no hub.
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
