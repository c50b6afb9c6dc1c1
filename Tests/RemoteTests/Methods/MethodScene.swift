import CommandServer
import Commands
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Rights
import Testing

/// A computer with every feature over services in memory, which note whatever they are made to do.
final class MethodScene: Sendable {
    /// The phone that the recorded requests come from; it signed some of them.
    static let phone = "did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z"
    static let version = "5.0.3"

    let frames = RecordingFrames()
    /// What is served, by name.
    let methods: [String: RemoteMethod]
    /// The rights of the features, and those of every phone.
    let rights: RightsCatalogue
    let router: CommandRouter
    private let services: MethodServices
    private let features: [any HostFeature]

    /// - Parameter date: What time it is there; by default that of the written requests.
    init(date: Date = Date(millisecondsSince1970: 1_790_000_000_000)) throws {
        let services = try MethodServices(date: date)
        let context = HostContext(
            database: try DatabaseQueue(),
            outlet: frames,
            observer: nil,
            version: Self.version,
            logger: Logger(label: "test")
        )
        self.services = services
        features = try Features.all(services).map { try $0.make(context) }
        rights = RightsCatalogue([.notification] + features.flatMap(\.rights))
        let served = features.flatMap(\.methods)
        let all = (served + RegistryMethods(serving: served).methods).map { method in
            RemoteMethod(method.declaration, named: method.name) { [log = services.log] params, caller in
                log.note("run \(method.name)")
                return try await method.run(params, caller)
            }
        }
        methods = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var limits = GateLimits()
        // Floods are tested elsewhere; here each request has to meet the other questions.
        let always = GateLimits.Rate(burst: 1e9, perSecond: 1e9)
        (limits.session, limits.clear, limits.clearPrivileged, limits.strangers) = (always, always, always, always)
        (limits.clearDoor, limits.clearStep) = (always, always)
        router = CommandRouter(
            methods: all,
            logger: Logger(label: "test"),
            gate: CommandGate(rights: rights, nonces: services.stores, limits: limits, time: services.clock),
            answers: services.stores,
            time: services.clock
        )
    }

    var log: EffectLog { services.log }
    var clock: ManualClock { services.clock }
    var files: MemoryFiles { services.files }

    /// The names that the desktop itself says it serves.
    func served() async throws -> [String] {
        let request = CommandRequest(id: UUID().uuidString, method: "registry.list")
        let list = try await router.answer(request, from: caller(.session)).outcome.get()
        let skills = try #require(list["skills"]?.arrayValue)
        return skills.flatMap { $0["methods"]?.arrayValue ?? [] }.compactMap { $0["name"]?.stringValue }
            + RegistryMethods(serving: []).methods.map(\.name)
    }

    /// Every right.
    var everything: Set<Right> { rights.all }

    func caller(_ proof: Caller.Proof, id: String = phone, allowed: Set<Right> = []) -> Caller {
        Caller(id: id, name: "Ada's phone", proof: proof, rights: allowed)
    }

    /// From the bytes of a message to the bytes of its answer, as the desktop does it.
    func answer(_ bytes: some Sequence<UInt8>, from caller: Caller) async throws -> JSONValue {
        let request = try CommandRequest(envelope: JSONValue(parsing: bytes))
        let response = await router.answer(request, from: caller).envelope(form: request.form)
        return try JSONValue(parsing: response.canonicalBytes)
    }

    /// Gives a binary message to every feature that takes any, also one that begins with the byte of none.
    func receive(frame: [UInt8], from caller: Caller) {
        for route in features.flatMap(\.frames) { route.receive(frame, caller) }
    }

    /// The newest shell greets, and the terminal has read it.
    func greet(in session: String) async throws {
        services.terminals.say("ada@studio:~$ ")
        let history = try #require(methods["terminal.history"])
        let params = RemoteParameters(["sessionId": .string(session)])
        while try await history.run(params, caller(.session))["chunks"] == [] { await Task.yield() }
    }

    func shutDown() async {
        for feature in features { await feature.close() }
    }
}
