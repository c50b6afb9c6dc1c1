import Foundation
import Kernel
import KernelTesting
import Logging
import Signaling
import SignalingServer
import Synchronization
import TandemHub
import Testing
import Transport

@Suite("A hub whose certificate is not trusted", .timeLimit(.minutes(4)))
struct UntrustedHubTests {
    private static func fixture(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SignalingServerTests/Fixtures/tls/\(name).pem")
    }

    /// What an operator reads in the log: each line's phrase, and its reason.
    private final class Notices: Sendable {
        struct Line: Hashable {
            let phrase: String
            let reason: String?
        }

        private let lines = Mutex<[Line]>([])

        var all: [Line] { lines.withLock(\.self) }

        var logger: Logger { Logger(label: "test") { _ in Handler(notices: self) } }

        private struct Handler: LogHandler {
            let notices: Notices
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.notice

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                let line = Line(
                    phrase: event.message.description,
                    reason: event.metadata?["reason"].map { "\($0)" }
                )
                notices.lines.withLock { $0.append(line) }
            }
        }
    }

    private func withHub(_ files: TLSFiles, _ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tu-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = SignalingServerConfiguration()
        configuration.address = "127.0.0.1"
        configuration.port = 0
        configuration.tls = files
        // A machine that stands still for a while shall not be a reason of its own.
        configuration.limits.handshakeTimeout = .seconds(120)
        configuration.limits.registrationTimeout = .seconds(120)
        let hub = try Hub(folder: StateFolder(root), server: configuration, version: "1", logger: logger)
        let task = Task { try await hub.run() }
        let result: Result<Void, any Error>
        do {
            try await body(try #require(URL(string: "wss://127.0.0.1:\(try await hub.server.boundPort())/")))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    /// How long the client waits before its next try, once it does.
    private func nextWait(_ states: inout AsyncStream<SignalClientState>.Iterator) async -> Duration? {
        while let state = await states.next() {
            if case .waiting(let wait) = state { return wait }
        }
        return nil
    }

    @Test("its certificate is said to be the reason, in one line of the log however often it is tried, while it lasts")
    func untrusted() async throws {
        let files = TLSFiles(certificate: Self.fixture("first-cert"), key: Self.fixture("first-key"))
        let own = Array(try Data(contentsOf: files.certificate))
        let other = Array(try Data(contentsOf: Self.fixture("second-cert")))
        try await withHub(files) { url in
            let clock = ManualClock()
            let notices = Notices()
            let isTrusted = LatestValue(false)
            let client = WebSocketSignalClient(
                identity: nil,
                time: clock,
                logger: notices.logger,
                dial: { url in
                    var configuration = WebSocketConfiguration()
                    configuration.openTimeout = .seconds(120)
                    configuration.trust = .certificates(pem: isTrusted.value ? own : other)
                    return try await WebSocketConnection.connect(to: url, configuration: configuration)
                }
            )
            var states = client.states().makeAsyncIterator()
            let began = clock.date
            try await client.maintain(url, as: "pc-77", device: SignalDevice(category: .desktop))
            for number in 1...6 {
                let next = await nextWait(&states)
                let wait = try #require(next)
                let problem = try #require(client.problem)
                #expect(problem.since == began)
                #expect(problem.reason.contains("did not prove who it is"))
                #expect(problem.reason.contains("certificate"))
                #expect(notices.all == [.init(phrase: "server not reached", reason: problem.reason)])
                if number == 6 { isTrusted.set(true) }
                await clock.sleepers()
                clock.advance(by: wait)
            }
            while let state = await states.next(), state.presence == nil {}
            #expect(client.problem == nil)
            #expect(notices.all.map(\.phrase) == ["server not reached", "server reached again"])
            await client.disconnect()
        }
    }
}
