import CommandClient
import Commands
import Control
import Kernel
import Rights
import Transport

/// The features of this phone, each asked for its part.
struct PeerFeatures: Sendable {
    let all: [any PeerFeature]
    let rights: RightsCatalogue

    init(_ makers: [PeerFeatureMaker], _ context: PeerContext) throws {
        rights = makers.rights
        all = try makers.map { try $0.make(context) }
    }

    var methods: [MethodDeclaration] { [.registryList] + all.flatMap(\.methods) }

    var clearMethods: ClearMethodRights {
        ClearMethodRights(methods: MethodCatalogue(methods), rights: rights)
    }

    func explain(_ failure: RemoteFailure) -> String? { all.lazy.compactMap { $0.explain(failure) }.first }

    func parts(for computer: ComputerContext) -> ComputerParts {
        ComputerParts(all: all.compactMap { $0.part(for: computer) })
    }

    func controlRoutes(_ computers: any PairedComputers) -> [ControlRoute] { all.flatMap { $0.controlRoutes(computers) } }

    func pageRoutes(_ computers: any PairedComputers) throws -> RouteSet {
        let routes = try all.map { try $0.pageRoutes(computers) }
        return RouteSet(http: routes.flatMap(\.http), webSockets: routes.flatMap(\.webSockets))
    }

    /// Events that no page is told of.
    var streamedEvents: Set<String> { all.reduce(into: []) { $0.formUnion($1.streamedEvents) } }

    /// Runs their work in the background until it is cancelled.
    func run(_ computers: any PairedComputers) async {
        await withDiscardingTaskGroup { group in
            for feature in all { group.addTask { await feature.run(computers) } }
        }
    }

    func topics(_ computers: any PairedComputers) -> [ControlTopic] { all.flatMap { $0.topics(computers) } }

    func close() async {
        for feature in all { await feature.close() }
    }
}

/// The parts that the features keep for one computer.
struct ComputerParts: Sendable {
    let all: [any ComputerPart]
    private let byFrame: [UInt8: any ComputerPart]

    init(all: [any ComputerPart]) {
        self.all = all
        byFrame = Dictionary(
            all.flatMap { part in part.frameBytes.map { ($0, part) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Nil for a message that is no frame of a feature.
    func part(forFrame message: [UInt8]) -> (any ComputerPart)? { message.first.flatMap { byFrame[$0] } }

    func part<Part: ComputerPart>(_ type: Part.Type) -> Part? { all.lazy.compactMap { $0 as? Part }.first }

    func receive(_ event: RemoteEvent, number: UInt64?) async {
        for part in all { await part.receive(event, number: number) }
    }

    func reached() async { for part in all { await part.reached() } }
    func lost() async { for part in all { await part.lost() } }
    func restarted() async { for part in all { await part.restarted() } }
    func allowed(_ rights: Set<Right>) async { for part in all { await part.allowed(rights) } }
    func close() async { for part in all { await part.close() } }
}
