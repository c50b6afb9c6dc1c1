import Kernel
import KernelTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import WebClientTesting

@testable import Push

/// Gives the answers of a test, one for each lookup; the last one repeats.
final class TestResolver: AddressResolver {
    private let state: Mutex<(answers: [[String]], asked: [String])>

    init(_ answers: [String]...) { state = Mutex((answers, [])) }

    var asked: [String] { state.withLock { $0.asked } }

    func addresses(of host: String) async throws(PushError) -> [String] {
        state.withLock { state in
            state.asked.append(host)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
    }
}

/// Sockets that a sender opens, with where they were to lead. They lead to a service on loopback.
final class TestSockets: Sendable {
    private let port: Int
    private let state = Mutex<[String]>([])

    init(port: Int) { self.port = port }

    var opened: [String] { state.withLock { $0 } }

    func open(_ bootstrap: ClientBootstrap, _ address: SocketAddress) -> EventLoopFuture<any Channel> {
        state.withLock { $0.append("\(address.ipAddress ?? "?"):\(address.port ?? 0)") }
        return bootstrap.connect(host: "127.0.0.1", port: port)
    }
}

/// Keeps every log line whole.
final class TestLog: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "push") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: TestLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
}

/// A sender whose push service is on loopback, and a browser that is subscribed there.
struct SenderScene {
    let service: TestPushService
    let clock = ManualClock()
    let log = TestLog()
    let key = VAPIDKey()
    let browser = TestBrowser()
    let path = "/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV?secret=1"

    let origin: PushOrigin

    init(_ service: TestPushService) throws {
        self.service = service
        origin = try service.origin
    }

    func configuration() throws -> WebPushConfiguration {
        var configuration = WebPushConfiguration(key: key, contact: try VAPIDContact("mailto:push@example.com"))
        configuration.allowing = [origin]
        configuration.certificates = service.certificate.pem
        return configuration
    }

    func sender(
        _ configuration: WebPushConfiguration? = nil,
        resolver: any AddressResolver = TestResolver(["127.0.0.1"])
    ) throws -> WebPushSender {
        try WebPushSender(configuration ?? self.configuration(), resolver: resolver, time: clock, logger: log.logger)
    }

    func target() throws -> WebPushSubscription {
        try browser.subscription("\(origin)\(path)", allowing: [origin])
    }

    /// Sends to the service with the ordinary sender.
    func send(_ payload: String = "hello", over sender: WebPushSender? = nil) async throws -> PushOutcome {
        try await (sender ?? self.sender()).send(
            Array(payload.utf8),
            to: target(),
            urgency: .high,
            topic: PushTopic("topic-1"),
            ttl: .seconds(3600)
        )
    }
}
