import CommandServer
import Control
import Rights
import Transport

/// The features of this computer, each asked for its part.
struct CommandFeatures: Sendable {
    let all: [any CommandFeature]

    init(_ makers: [CommandFeatureMaker], _ context: CommandContext) throws {
        all = try makers.map { try $0.make(context) }
    }

    /// Messages between phone and computer have been every phone's right since the first version.
    var rights: RightsCatalogue { RightsCatalogue([.notification] + all.flatMap(\.rights)) }
    var methods: [RemoteMethod] { all.flatMap(\.methods) }
    var keepers: [any ActivityKeeper] { all.compactMap(\.keeper) }
    var controlRoutes: [ControlRoute] { all.flatMap(\.controlRoutes) }
    var topics: [ControlTopic] { all.flatMap(\.topics) }

    var webSocketRoutes: [WebSocketRoute] { all.flatMap(\.webSocketRoutes) }
    var httpRoutes: [HTTPRoute] { all.flatMap(\.httpRoutes) }

    func pageRoutes() throws -> RouteSet {
        let routes = try all.map { try $0.pageRoutes() }
        return RouteSet(http: routes.flatMap(\.http), webSockets: routes.flatMap(\.webSockets))
    }

    var frames: [UInt8: FrameRoute] {
        Dictionary(all.flatMap(\.frames).map { ($0.firstByte, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func open(_ access: CommandAccess) {
        for feature in all { feature.open(access) }
    }

    func checks() async -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        for feature in all { checks += await feature.checks() }
        return checks
    }

    /// Runs their work in the background until it is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for feature in all { group.addTask { await feature.run() } }
        }
    }

    func close() async {
        await withDiscardingTaskGroup { group in
            for feature in all { group.addTask { await feature.close() } }
        }
    }
}
