import Capabilities
import CommandClient
import Control
import Kernel

/// A feature of a phone that says whether it runs.
struct RestingFeature: PeerFeature {
    /// What becomes of one that was made.
    enum Life: String, Codable, Hashable, Sendable {
        case made, runs, ended, closed
    }

    let name: String
    let worksAtRest: Bool
    let life: LatestValue<Life>

    static func maker(_ name: String, worksAtRest: Bool, life: LatestValue<Life>) -> PeerFeatureMaker {
        PeerFeatureMaker(name) { _ in RestingFeature(name: name, worksAtRest: worksAtRest, life: life) }
    }

    static func ask(_ name: String) -> ControlMethod<NoControlParameters, Life> {
        ControlMethod("\(name).ask", summary: "Ask whether it runs.")
    }

    var controlRoutes: [ControlRoute] { [ControlRoute(Self.ask(name)) { _ in life.value }] }

    func run() async {
        life.set(.runs)
        // A value that never changes: until the task is cancelled.
        for await _ in LatestValue(0).values() {}
        life.set(.ended)
    }

    func close() async { life.set(.closed) }
}
