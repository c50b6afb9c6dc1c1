package import Capabilities
package import Control
import Foundation
package import GRDB
package import Kernel
package import Logging
import ServiceLifecycle
package import SignalingServer
import Storage
package import Transport

/// A hub: the signaling server and its mailbox on a state folder of its own.
package struct Hub: Service {
    /// Relays between devices, and keeps mail for those that are away.
    package let server: SignalingServer
    /// The table of requests that commands on the hub's state folder can make.
    package let control: ControlTable
    package let controlServer: ControlServer
    private let lock: FolderLock
    private let recorder: HubRecorder
    private let features: FeatureSet
    private let logger: Logger

    /// The parts that a neighbour of a hub on its machine, such as its page, is made of.
    package struct Parts: Sendable {
        /// Requests that commands on its state folder can make of the hub and of its features.
        package let routes: [ControlRoute]
        package let topics: [ControlTopic]
        /// The routes that features serve to the page of this hub.
        package let pageRoutes: RouteSet
        package let database: any DatabaseWriter
    }

    /// - Parameters:
    ///   - makers: What the hub does for devices and people beside relaying.
    ///   - featureSettings: The values that the owner set for features, by the settings' names.
    ///   - makeControl: What commands on its state folder can ask, of the hub and of what stands beside it.
    /// - Throws: What is wrong with the state folder, its database or the certificate; what a feature cannot be made without; what
    ///   `makeControl` throws.
    package init(
        folder: StateFolder,
        server configuration: SignalingServerConfiguration,
        features makers: [ServedFeatureMaker] = [],
        featureSettings: [String: JSONValue] = [:],
        version: String,
        time: any TimeSource = .system,
        metrics: PrometheusMetrics? = nil,
        logger: Logger,
        control makeControl: (Parts) throws -> ControlTable = { ControlTable($0.routes) }
    ) throws {
        lock = try FolderLock(folder)
        let (schema, databaseURL) = (Schema.hub(with: makers), folder.databaseURL)
        let database = try StateDatabase.open(databaseURL, schema: schema)
        let stores = FeatureStores(folder, shared: database)
        let features = try FeatureSet(makers, in: stores) {
            FeatureContext(storage: $0, settings: featureSettings, version: version, time: time, logger: logger)
        }
        self.features = features
        var configuration = configuration
        configuration.version = version
        let routes = try features.serverRoutes()
        configuration.httpRoutes += routes.http
        configuration.webSocketRoutes += routes.webSockets
        let server = try SignalingServer(
            configuration: configuration,
            database: database,
            logger: logger,
            time: time,
            metrics: metrics
        )
        self.server = server
        let place = folder.url
        let makeMeter: @Sendable () -> HubMeter = { HubMeter(server: server, folder: place, time: time) }
        let recorder = HubRecorder(meter: makeMeter(), time: time)
        self.recorder = recorder
        let own = HubControl(
            server: server,
            configuration: configuration,
            version: version,
            meter: makeMeter(),
            recorder: recorder,
            backups: HubBackup(
                state: folder,
                database: database,
                schema: schema,
                stores: stores,
                features: features
            ),
            featureLimits: features.limits,
            knownDevices: { await features.knownDevices($0) },
            checks: {
                let own = await StateDatabase.doctorCheck(of: database, schema: schema, at: databaseURL)
                return await features.checks() + [own] + stores.checks()
            },
            startedAt: time.date.millisecondsSince1970
        )
        let control = try makeControl(
            Parts(
                routes: own.routes + features.controlRoutes,
                topics: HubTopics(makeMeter: makeMeter, time: time).all + features.topics,
                pageRoutes: try features.pageRoutes(),
                database: database
            )
        )
        self.control = control
        controlServer = ControlServer(folder: folder, handler: control, logger: logger)
        self.logger = logger
    }

    /// Runs until shutdown or cancellation, or until one part fails.
    package func run() async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await runParts())
        } catch {
            result = .failure(error)
        }
        await features.close(on: .system, telling: logger)
        try result.get()
    }

    private func runParts() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await controlServer.run() }
            group.addTask { await recorder.run() }
            group.addTask {
                await features.run()
                try? await gracefulShutdown()  // features without work in the background end nothing
            }
            // Whichever ends first ends the others: a hub with half of its parts is no hub.
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
