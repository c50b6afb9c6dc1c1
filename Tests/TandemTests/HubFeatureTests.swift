import Capabilities
import Control
import Foundation
import GRDB
import Kernel
import Logging
import Pairing
import Storage
import TandemDesktop
import Testing
import Transport

@testable import SignalingServer
@testable import TandemHub

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A guest book: a feature that brings one of everything that any role has, and nothing for phones.
private struct GuestBook: ServedFeature {
    private static let settings = [FeatureSetting("guestTitle", .text, summary: "The book's title.")]
    private static let tables = [Migration("guests-1", sql: "CREATE TABLE guest (name TEXT NOT NULL) STRICT")]

    /// With its table in the role's database.
    static let maker = maker(FeatureManifest("guests", settings: settings, migrations: tables))
    /// With its table in a database of its own.
    static let aside = maker(FeatureManifest("guests", settings: settings, ownMigrations: tables))

    private static func maker(_ manifest: FeatureManifest) -> ServedFeatureMaker {
        ServedFeatureMaker(manifest) { GuestBook(context: $0) }
    }

    struct Guests: Codable, Hashable, Sendable {
        var names: [String]
    }

    static let list = ControlMethod<NoControlParameters, Guests>("guests.list", summary: "Who was here.")

    let context: FeatureContext

    private func names() async throws -> [String] {
        try await context.database.read { try String.fetchAll($0, sql: "SELECT name FROM guest ORDER BY rowid") }
    }

    var controlRoutes: [ControlRoute] {
        [ControlRoute(Self.list) { _ in Guests(names: try await names()) }]
    }

    var topics: [ControlTopic] { [ControlTopic("guests") { $0([:]) }] }

    func serverRoutes() throws -> RouteSet {
        let title = context.settings["guestTitle"]?.stringValue ?? "Guests"
        return RouteSet(
            http: [
                try HTTPRoute(.get, "/guests") { _, _ in .text(title) },
                try HTTPRoute(.post, "/guests", maximumBodyBytes: 64) { _, body in
                    let name = String(decoding: try await body.collect(), as: UTF8.self)
                    try await context.database.write {
                        try $0.execute(sql: "INSERT INTO guest VALUES (?)", arguments: [name])
                    }
                    return .text("welcome")
                },
            ],
            webSockets: [
                try WebSocketRoute("/guests/bell") { peer, _ in
                    for try await message in peer.messages { try await peer.send(text: message.bytes) }
                }
            ]
        )
    }

    func pageRoutes() throws -> RouteSet { RouteSet(http: [try HTTPRoute(.get, "/api/guests") { _, _ in .text("") }]) }
    func checks() async -> [DoctorCheck] { [DoctorCheck(name: "Guests", works: true, detail: "open")] }

    /// Never returns by itself before it is cancelled, as most features' work.
    func run() async { _ = await context.time.pause(for: .seconds(3600)) }

    func close() async {
        // The role's database takes what has to last.
        try? await context.database.write { try $0.execute(sql: "INSERT INTO guest VALUES ('closed')") }
    }
}

@Suite("Features of a hub", .timeLimit(.minutes(4)))
struct HubFeatureTests {
    private static let settings: [String: JSONValue] = ["guestTitle": "Our guests"]

    private static func server() -> SignalingServerConfiguration {
        var configuration = SignalingServerConfiguration()
        configuration.address = "127.0.0.1"
        configuration.port = 0
        return configuration
    }

    private static var logger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    private static func withFolder(_ body: (StateFolder) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "hf-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        try await body(StateFolder(root))
    }

    /// Runs a role until `body` is done, and waits for its end.
    private static func running(_ run: @escaping @Sendable () async throws -> Void, _ body: () async throws -> Void)
        async throws
    {
        let task = Task { try await run() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    private static func visit(port: Int) async throws {
        let page = try #require(URL(string: "http://127.0.0.1:\(port)/guests"))
        let (title, _) = try await URLSession.shared.data(from: page)
        #expect(String(decoding: title, as: UTF8.self) == "Our guests")
        var request = URLRequest(url: page)
        request.httpMethod = "POST"
        request.httpBody = Data("Ada".utf8)
        _ = try await URLSession.shared.data(for: request)
        let bell = try #require(URL(string: "ws://127.0.0.1:\(port)/guests/bell"))
        let socket = try await WebSocketConnection.connect(to: bell)
        try await socket.send(text: "hello")
        var messages = socket.messages.makeAsyncIterator()
        #expect(await messages.next() == .text(Array("hello".utf8)))
        await socket.close(.normal, reason: "")
    }

    @Test(
        "a feature of a hub has routes at its port, control methods, a topic, a page, a check, a setting and tables",
        arguments: [false, true]
    )
    func hub(isAside: Bool) async throws {
        try await Self.withFolder { folder in
            var parts: Hub.Parts?
            func hub() throws -> Hub {
                try Hub(
                    folder: folder,
                    server: Self.server(),
                    features: [isAside ? GuestBook.aside : GuestBook.maker],
                    featureSettings: Self.settings,
                    version: "1",
                    logger: Self.logger
                ) {
                    parts = $0
                    return ControlTable($0.routes)
                }
            }
            do {
                let hub = try hub()
                try await Self.running(hub.run) {
                    try await Self.visit(port: hub.server.boundPort())
                    let guests = try await hub.control.call(GuestBook.list)
                    #expect(guests.names == ["Ada"])
                    let doctor = try await hub.control.call(.doctor)
                    #expect(doctor.checks.map(\.name) == ["Guests", "Database"] + (isAside ? ["Database"] : []))
                    #expect(doctor.checks.filter { !$0.works } == [])
                }
                #expect(parts?.topics.map(\.name) == ["load", "guests"])
                #expect(parts?.pageRoutes.http.count == 1)
            }
            let own = folder.url.appending(path: "features/guests/guests.sqlite").path
            #expect(FileManager.default.fileExists(atPath: own) == isAside)
            // The last task of a hub that ended may hold on to it for a moment longer.
            while (try? FolderLock(folder)) == nil { await Task.yield() }
            // Closed before its database was, and there again after a restart.
            let again = try hub()
            #expect(try await again.control.call(GuestBook.list).names == ["Ada", "closed"])
        }
    }

    @Test("the same feature serves at a computer that is a hub too, beside those for phones")
    func computer() async throws {
        try await Self.withFolder { folder in
            let desktop = try Desktop(
                folder: folder,
                configuration: DesktopConfiguration(
                    device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
                    version: "1",
                    server: Self.server(),
                    served: [GuestBook.maker],
                    featureSettings: Self.settings
                ),
                logger: Self.logger
            )
            try await Self.running(desktop.run) {
                try await Self.visit(port: desktop.boundPort())
                #expect(try await desktop.control.call(GuestBook.list).names == ["Ada"])
                let doctor = try await desktop.control.call(.doctor)
                #expect(doctor.checks.contains { $0.name == "Guests" && $0.works })
                #expect(desktop.topics.contains { $0.name == "guests" })
                #expect(try desktop.pageRoutes().http.count == 1)
            }
        }
    }
}
