package import Control
package import Foundation
package import Kernel
package import Logging
import Rights
package import Sealing
package import Storage
package import Transport

/// The features of a role as one: the only place where what they bring is put together.
package struct FeatureSet: Sendable {
    /// How long one may take to end: more than agents and shells are given to end by themselves, less than service managers wait.
    package static let closeLimit = Duration.seconds(30)

    package let all: [any ServedFeature]
    package let manifests: [FeatureManifest]
    package let controlRoutes: [ControlRoute]
    package let topics: [ControlTopic]

    /// - Parameters:
    ///   - all: The features, in the order in which the role lists them.
    ///   - manifests: What was known of each of them.
    /// - Throws: ``FeatureError`` where two bring something of one name: only one of them would ever be asked.
    package init(_ all: [any ServedFeature], _ manifests: [FeatureManifest]) throws(FeatureError) {
        self.all = all
        self.manifests = manifests
        controlRoutes = all.flatMap(\.controlRoutes)
        topics = all.flatMap(\.topics)
        try Self.check("name", manifests.map(\.name))
        try Self.check("setting", manifests.flatMap(\.settings).map(\.name))
        try Self.check("right", manifests.flatMap(\.rights).map(\.right.rawValue))
        try Self.check("control method", controlRoutes.map(\.name))
        try Self.check("topic", topics.map(\.name))
    }

    /// Makes the features of a role that are of no special kind.
    ///
    /// - Throws: Also what a feature cannot be made without.
    package init(
        _ makers: [ServedFeatureMaker],
        in stores: FeatureStores,
        _ context: (FeatureStorage) -> FeatureContext
    ) throws {
        try self.init(try makers.map { try $0.make(in: stores, context) }, makers.map(\.manifest))
    }

    private static func check(_ kind: String, _ names: [String]) throws(FeatureError) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { throw .twice(kind: kind, name: name) }
    }

    package func serverRoutes() throws -> RouteSet { RouteSet(joining: try all.map { try $0.serverRoutes() }) }
    package func pageRoutes() throws -> RouteSet { RouteSet(joining: try all.map { try $0.pageRoutes() }) }

    package var limits: [FeatureLimit] { all.flatMap(\.limits) }

    /// What the features know of devices; where two know one, what the first says.
    package func knownDevices(_ keys: Set<DID>) async -> [DID: KnownDevice] {
        var known: [DID: KnownDevice] = [:]
        for feature in all { known.merge(await feature.knownDevices(keys)) { first, _ in first } }
        return known
    }

    package func checks() async -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        for feature in all { checks += await feature.checks() }
        return checks
    }

    /// Lets each copy its files into its folder below `root`, which is made.
    package func copyFiles(below root: URL) async throws {
        for (feature, manifest) in zip(all, manifests) {
            let folder = root.appending(path: manifest.name)
            try StateFolder.makeClosedFolder(folder)
            try await feature.copyFiles(into: folder)
        }
    }

    /// Runs their work in the background until it is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for feature in all { group.addTask { await feature.run() } }
        }
    }

    /// Ends all of them at once: the slowest is waited for, and no other behind it. Also where the role's task was cancelled, so that each keeps
    /// what has to last. One that takes longer than ``closeLimit`` is cancelled and left behind: a disk that hangs does not keep its role from
    /// ending.
    package func close(on time: any TimeSource, telling logger: Logger) async {
        await withDiscardingTaskGroup { group in
            for (feature, manifest) in zip(all, manifests) {
                group.addTask {
                    guard await !endsWithin(Self.closeLimit, on: time, { await feature.close() }) else { return }
                    logger.error("a feature did not end in time", metadata: ["feature": "\(manifest.name)"])
                }
            }
        }
    }

    package func first<Feature>(_ type: Feature.Type) -> Feature? { all.lazy.compactMap { $0 as? Feature }.first }
}

/// Why features cannot live in one role.
package enum FeatureError: Error, Hashable, CustomStringConvertible {
    /// - Parameter kind: What has that name, for example "control method".
    case twice(kind: String, name: String)

    package var description: String {
        switch self {
        case .twice(let kind, let name):
            "Two features of this program have the \(kind) \(name), and it does not start with both. This is a mistake in "
                + "the program: please report it, and use the version before."
        }
    }
}
