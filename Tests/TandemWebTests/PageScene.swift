import Control
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import QRCodes
import Rights
import Testing
import Transport

@testable import TandemWeb

/// A page with a role of its own, on a port of loopback, for the length of a test.
final class PageScene: Sendable {
    struct Plan: Sendable {
        var role = "desktop"
        var files: URL?
        var terminalFiles: TerminalFiles?
        var scan: (@Sendable ([UInt8]) async throws -> String)?
        var httpRoutes: [HTTPRoute] = []
        var webSocketRoutes: [WebSocketRoute] = []
        var isOwn: @Sendable (LoopbackPeer) -> Bool = { $0.isOwn() }
        var clock = ManualClock()
        var topics: [ControlTopic] = []
        var bindings: [BrowserBinding] = []
    }

    struct Nothing: Codable, Sendable {}

    struct Words: Codable, Sendable {
        var text: String
    }

    let page: Page
    let client: PageClient
    let news: Broadcaster<JSONValue>
    /// What happened to methods that wait.
    let noted: LatestValue<[String]>
    let clock: ManualClock

    private init(
        page: Page,
        port: Int,
        news: Broadcaster<JSONValue>,
        noted: LatestValue<[String]>,
        clock: ManualClock
    ) {
        self.page = page
        client = PageClient(port: port)
        self.news = news
        self.noted = noted
        self.clock = clock
    }

    static func run(
        _ plan: Plan = Plan(),
        database: DatabaseQueue? = nil,
        _ body: @Sendable (PageScene) async throws -> Void
    ) async throws {
        let news = Broadcaster<JSONValue>(capacity: 4096)
        let noted = LatestValue<[String]>([], capacity: 64)
        var logger = Logger(label: "page")
        logger.logLevel = .critical
        var configuration = PageConfiguration(
            role: plan.role,
            place: try PageConfiguration.Place(address: "127.0.0.1", port: 0),
            version: "1",
            platform: "linux",
            machineName: "studio"
        )
        configuration.files = plan.files
        configuration.terminalFiles = plan.terminalFiles
        configuration.codes = FixedCodes()
        configuration.scan = plan.scan
        configuration.right = { $0 == "bell.ring" ? "bell" : nil }
        configuration.httpRoutes = plan.httpRoutes
        configuration.webSocketRoutes = plan.webSocketRoutes
        configuration.isOwn = plan.isOwn
        configuration.time = plan.clock
        configuration.bindings = plan.bindings
        let topic = ControlTopic("bell") { tell in
            noted.update { $0.append("told") }
            for await item in news.subscribe() { tell(item) }
            noted.update { $0.append("untold") }
        }
        let page = try Page(
            configuration,
            routes: routes(noted),
            topics: [topic] + plan.topics,
            database: database ?? PageSceneDatabase.make(),
            logger: logger
        )
        let task = Task { try await page.run() }
        let result: Result<Void, any Error>
        do {
            let port = try await page.boundPort()
            try await body(PageScene(page: page, port: port, news: news, noted: noted, clock: plan.clock))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    /// What the role answers.
    private static func routes(_ noted: LatestValue<[String]>) -> [ControlRoute] {
        [
            ControlRoute(ControlMethod<Nothing, JSONValue>("status", summary: "How it stands.")) { _ in
                ["role": "desktop", "name": "Desk", "did": "did:key:z6Mk", "fingerprint": "four words"]
            },
            ControlRoute(ControlMethod<Words, Words>("echo", summary: "Says the same.")) { $0 },
            ControlRoute(ControlMethod<Words, Words>("note", summary: "Notes it.")) { words in
                noted.update { $0.append(words.text) }
                return words
            },
            ControlRoute(ControlMethod<Words, Words>("fail", summary: "Fails as it is told.")) { words in
                if words.text == "too-old" { throw NamedFailing() }
                throw Failing.named(words.text)
            },
            ControlRoute(ControlMethod<Nothing, Words>("ring", summary: "Is never allowed.")) { _ in
                throw Failing.named("not-allowed")
            }
            .needing("bell"),
            ControlRoute(ControlMethod<Nothing, Words>("wait", summary: "Never ends by itself.")) { _ in
                noted.update { $0.append("waiting") }
                let (forever, _) = AsyncStream.makeStream(of: Never.self)
                for await _ in forever {}
                noted.update { $0.append("cancelled") }
                throw CancellationError()
            },
            ControlRoute(ControlStream<Words, JSONValue, Words>("repeat", summary: "Reports what it is told.")) {
                words,
                input,
                report in
                try await report(.string(words.text))
                for await value in input { try await report(value) }
                return Words(text: "done")
            },
            ControlRoute(ControlStream<Nothing, JSONValue, Words>("deaf", summary: "Reads nothing.")) { _, _, report in
                try await report("begun")
                let (forever, _) = AsyncStream.makeStream(of: Never.self)
                for await _ in forever {}
                throw CancellationError()
            },
        ]
    }

    /// A browser that is signed in.
    func browser() async throws -> PageClient {
        let link = try await page.makeLink().url
        let target = try #require(link.split(separator: "\(client.port)", maxSplits: 1).last)
        let answer = try await client.ask("GET", String(target))
        let cookie = try #require(answer.fields["set-cookie"]?.split(separator: ";").first)
        var browser = client
        browser.cookie = String(cookie)
        return browser
    }

    /// Returns once it was noted.
    func noted(_ word: String, times: Int = 1) async {
        for await words in noted.values() where words.count(where: { $0 == word }) >= times { return }
    }
}

/// What a method of the scene fails with that names its case.
struct NamedFailing: ClassifiedError {
    let facts = FailureFacts.kind(.expired, reason: "tooOld", ["ageSeconds": 512])
    let description = "It is too old."
}

/// What a method of the scene fails with.
enum Failing: ClassifiedError {
    case named(String)

    var facts: FailureFacts {
        switch self {
        case .named(let text): .kind(FailureKind(rawValue: text) ?? .internal)
        }
    }

    var description: String { "It fails on purpose." }
}

/// A code whose top left module is dark.
struct FixedCodes: QRCodeMaker {
    func code(for text: String, level: QRErrorCorrection) throws(QRError) -> QRMatrix {
        guard !text.isEmpty else { throw .emptyText }
        return try QRMatrix(side: 21, darkModules: [true] + Array(repeating: false, count: 21 * 21 - 1))
    }
}
