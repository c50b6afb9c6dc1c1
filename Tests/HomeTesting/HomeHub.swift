package import Capabilities
package import Foundation
package import Kernel
import SignalingServer
package import TandemHub

/// A hub of a home before it is made.
package struct HubPlan: Sendable {
    /// The name by which the plans of computers and phones mean it.
    package var name: String
    package var features: [ServedFeatureMaker]
    /// The values that the admin set for features, by the settings' names.
    package var settings: [String: JSONValue] = [:]
    /// Whether it has the same port each time it is started, for clients that keep its address.
    package var keepsPort = false

    package init(_ name: String = "hub", features: [ServedFeatureMaker] = []) {
        self.name = name
        self.features = features
    }
}

/// A hub of a home. It relays in memory; where it has features, its program runs too and serves them on a socket of loopback. The program can be
/// ended and started again, and finds what it kept.
package actor HomeHub {
    package nonisolated let plan: HubPlan
    /// The port of its relay in memory.
    nonisolated let relayPort: Int
    private let surroundings: HomeSurroundings
    /// Where the hub keeps everything.
    package nonisolated let folder = FileManager.default.temporaryDirectory.appending(
        path: "hh-\(UUID().uuidString.prefix(8))"
    )
    private var running: (role: Hub, task: Task<Void, any Error>)?
    /// 0 until it is known, and where it may be another one each time.
    private var port = 0

    init(_ plan: HubPlan, relayPort: Int, in surroundings: HomeSurroundings) {
        self.plan = plan
        self.relayPort = relayPort
        self.surroundings = surroundings
    }

    /// The program that runs.
    ///
    /// - Throws: ``HomeError/stopped`` while it is ended, and for a hub without features.
    package var role: Hub {
        get throws {
            guard let running else { throw HomeError.stopped }
            return running.role
        }
    }

    /// Returns once its features are served. A hub without features has no program to start.
    package func start() async throws {
        guard running == nil, !plan.features.isEmpty else { return }
        var server = SignalingServerConfiguration()
        (server.address, server.port) = ("127.0.0.1", port)
        let hub = try Hub(
            folder: StateFolder(folder),
            server: server,
            features: plan.features,
            featureSettings: plan.settings,
            version: "1",
            time: surroundings.time,
            logger: surroundings.logger
        )
        running = (hub, Task { try await hub.run() })
        let bound = try await hub.server.boundPort()
        if plan.keepsPort { port = bound }
    }

    /// Ends its program as at shutdown; what it kept stays.
    package func stop() async {
        guard let run = running else { return }
        running = nil
        run.task.cancel()
        _ = await run.task.result
    }

    /// The address of its features' routes.
    ///
    /// - Parameters:
    ///   - scheme: `http` or `ws`.
    ///   - path: Begins with a slash.
    /// - Throws: ``HomeError/stopped`` while it is ended.
    package func url(_ path: String, scheme: String = "http") async throws -> URL {
        let port = try await role.server.boundPort()
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else { throw HomeError.found(0) }
        return url
    }

    func removeFolder() {
        try? FileManager.default.removeItem(at: folder)  // a test's leftovers harm nobody
    }
}
