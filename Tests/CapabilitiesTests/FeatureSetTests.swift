import Control
import Kernel
import KernelTesting
import Logging
import Rights
import Storage
import Synchronization
import Testing
import Transport

@testable import Capabilities

@Suite("The features of a role", .timeLimit(.minutes(4)))
struct FeatureSetTests {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock(\.self) }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// A feature that brings one of everything under its name.
    private struct Named: ServedFeature {
        struct Answer: Codable, Sendable {
            var name: String
        }

        let name: String
        let log: Log

        var controlRoutes: [ControlRoute] {
            let method = ControlMethod<NoControlParameters, Answer>("\(name).name", summary: "Its name.")
            return [ControlRoute(method) { [name] _ in Answer(name: name) }]
        }

        var topics: [ControlTopic] { [ControlTopic(name) { $0(["name": .string(name)]) }] }
        func serverRoutes() throws -> RouteSet {
            RouteSet(http: [try HTTPRoute(.get, "/\(name)") { _, _ in .text("") }])
        }
        func pageRoutes() throws -> RouteSet {
            RouteSet(http: [try HTTPRoute(.get, "/api/\(name)") { _, _ in .text("") }])
        }
        func checks() async -> [DoctorCheck] { [DoctorCheck(name: name, works: true, detail: "works")] }
        func run() async { log.add("run \(name)") }
        func close() async { log.add("close \(name)") }
    }

    /// A feature without anything.
    private struct Silent: ServedFeature {}

    private static func set(_ names: [String], _ log: Log = Log()) throws -> FeatureSet {
        try FeatureSet(names.map { Named(name: $0, log: log) }, names.map { FeatureManifest($0) })
    }

    @Test("each is asked for its part, in order")
    func together() async throws {
        let log = Log()
        let set = try Self.set(["a", "b"], log)
        #expect(set.controlRoutes.map(\.name) == ["a.name", "b.name"])
        #expect(set.topics.map(\.name) == ["a", "b"])
        #expect(try set.serverRoutes().http.count == 2)
        #expect(try set.pageRoutes().http.count == 2)
        #expect(await set.checks().map(\.name) == ["a", "b"])
        await set.run()
        #expect(Set(log.all) == ["run a", "run b"])
        await set.close(on: .system, telling: Logger(label: "test"))
        #expect(Set(log.all) == ["run a", "run b", "close a", "close b"])
        #expect(set.first(Named.self)?.name == "a")
        #expect(set.first(Silent.self) == nil)
    }

    @Test("a feature without anything brings nothing")
    func silent() async throws {
        let set = try FeatureSet([Silent()], [FeatureManifest("silent")])
        #expect(set.controlRoutes.isEmpty && set.topics.isEmpty)
        #expect(try set.serverRoutes().http.isEmpty && set.pageRoutes().webSockets.isEmpty)
        #expect(await set.checks() == [])
        await set.run()
        await set.close(on: .system, telling: Logger(label: "test"))
    }

    /// A feature that would wait for ever at its end.
    private struct Hanging: ServedFeature {
        let log: Log
        let isClosing = LatestValue(false)

        func close() async {
            isClosing.set(true)
            for await _ in AsyncStream<Never>.makeStream().stream {}
            log.add("cancelled")
        }
    }

    @Test("one that does not end keeps neither its role nor the others from ending")
    func hanging() async throws {
        let (log, clock) = (Log(), ManualClock())
        let hanging = Hanging(log: log)
        let set = try FeatureSet(
            [hanging, Named(name: "a", log: log)],
            [FeatureManifest("hanging"), FeatureManifest("a")]
        )
        let closing = Task { await set.close(on: clock, telling: Logger(label: "test")) }
        for await isClosing in hanging.isClosing.values() where isClosing { break }
        clock.advance(by: FeatureSet.closeLimit)
        await closing.value
        #expect(Set(log.all) == ["cancelled", "close a"])
    }

    @Test("two of one name are refused with a sentence, since only one of them would ever be asked")
    func twice() throws {
        let error = FeatureError.twice(kind: "name", name: "a")
        #expect(throws: error) { try Self.set(["a", "b", "a"]) }
        #expect("\(error)".contains("the name a"))
        func refused(_ kind: String, _ one: FeatureManifest, _ other: FeatureManifest) {
            #expect(throws: FeatureError.twice(kind: kind, name: "x")) { try FeatureSet([], [one, other]) }
        }
        let setting = FeatureSetting("x", .flag, summary: "")
        refused("setting", FeatureManifest("a", settings: [setting]), FeatureManifest("b", settings: [setting]))
        let right = RightDeclaration("x", "x", risk: .safe, weight: 1)
        refused("right", FeatureManifest("a", rights: [right]), FeatureManifest("b", rights: [right]))
        let log = Log()
        let named = [Named(name: "x", log: log), Named(name: "x", log: log)]
        #expect(throws: FeatureError.twice(kind: "control method", name: "x.name")) {
            try FeatureSet(named, [FeatureManifest("a"), FeatureManifest("b")])
        }
    }

    @Test("messages between phone and computer are everybody's right, whatever features there are")
    func rights() {
        #expect([FeatureManifest]().rights.all == ["notification"])
        let right = RightDeclaration("bell", "ring", risk: .safe, weight: 1)
        #expect([FeatureManifest("a", rights: [right])].rights.all == ["notification", "bell"])
    }
}
