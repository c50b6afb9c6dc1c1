import Capabilities
import CommandClient
import Commands
import Kernel
import Rights
import Storage

/// The features of this phone, each asked for its part.
struct PeerFeatures: Sendable {
    let all: [any PeerFeature]
    let set: FeatureSet
    /// The features of ``set`` that end when the phone rests, and those that go on.
    let usual: FeatureSet
    let atRest: FeatureSet
    let rights: RightsCatalogue

    init(
        _ makers: [PeerFeatureMaker],
        in stores: FeatureStores,
        _ context: (FeatureStorage) -> PeerContext
    ) throws {
        all = try makers.map { try $0.make(in: stores, context) }
        set = try FeatureSet(all.map { $0 as any ServedFeature }, makers.map(\.manifest))
        rights = set.manifests.rights
        usual = try Self.part(of: all, makers, atRest: false)
        atRest = try Self.part(of: all, makers, atRest: true)
    }

    private static func part(
        of all: [any PeerFeature],
        _ makers: [PeerFeatureMaker],
        atRest isAtRest: Bool
    ) throws -> FeatureSet {
        let members = zip(all, makers).filter { $0.0.worksAtRest == isAtRest }
        return try FeatureSet(members.map { $0.0 as any ServedFeature }, members.map(\.1.manifest))
    }

    var methods: [MethodDeclaration] {
        [.registryList, Method.askForRight.declaration] + all.flatMap(\.methods)
    }

    var clearMethods: ClearMethodRights {
        ClearMethodRights(methods: MethodCatalogue(methods), rights: rights)
    }

    func explain(_ failure: RemoteFailure) -> String? { all.lazy.compactMap { $0.explain(failure) }.first }

    func parts(for computer: ComputerContext) -> ComputerParts {
        ComputerParts(all: all.compactMap { $0.part(for: computer) })
    }

    /// Events that no page is told of.
    var streamedEvents: Set<String> { all.reduce(into: []) { $0.formUnion($1.streamedEvents) } }
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
