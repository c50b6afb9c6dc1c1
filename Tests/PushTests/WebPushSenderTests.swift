import Foundation
import Kernel
import KernelTesting
import NIOCore
import NIOPosix
import Testing

@testable import Push

@Suite("Sending Web Push messages", .timeLimit(.minutes(2)))
struct WebPushSenderTests {
    private static let created = "HTTP/1.1 201 Created\r\nLocation: https://push.test/m/1\r\nContent-Length: 0\r\n\r\n"

    @Test("a message arrives encrypted, identified and with what the service has to know, and nothing of it is logged")
    func whole() async throws {
        try await TestPushService.run(.text(Self.created)) { service in
            let scene = try SenderScene(service)
            #expect(try await scene.send("hello") == .accepted)
            let request = try await service.next()
            #expect(request.line == "POST \(scene.path) HTTP/1.1")
            #expect(request.headers["ttl"] == "3600" && request.headers["urgency"] == "high")
            #expect(request.headers["topic"] == "topic-1" && request.headers["content-encoding"] == "aes128gcm")
            #expect(request.headers["host"] == "push.test:\(service.port)")
            #expect(
                request.headers.keys.sorted() == [
                    "authorization", "connection", "content-encoding", "content-length", "content-type", "host",
                    "topic",
                    "ttl", "urgency",
                ]
            )
            #expect(
                try scene.browser.open(request.body) == OpenedMessage(payload: Array("hello".utf8), padded: 512)
            )
            let token = try ReadToken(try #require(request.headers["authorization"]))
            #expect(token.audience == "https://push.test:\(service.port)" && token.key == scene.key.publicKey)
            #expect(token.expiry == Int64(scene.clock.date.timeIntervalSince1970) + 12 * 3600)
            #expect(token.subject == "mailto:push@example.com")
            #expect(service.names == ["push.test"])
            let log = scene.log.text
            #expect(log.contains("https://push.test:\(service.port)"))
            for secret in ["JzLQ3raZ", "hello", "secret=1", Base64URL.encode(scene.browser.auth), "vapid"] {
                #expect(!log.contains(secret), "\(secret)")
            }
        }
    }

    @Test("without a topic there is none, and a life is cut to four weeks")
    func plain() async throws {
        try await TestPushService.run(.text(Self.created)) { service in
            let scene = try SenderScene(service)
            let sender = try scene.sender()
            for (life, written) in [
                (Duration.seconds(-5), "0"), (.milliseconds(1500), "1"), (.seconds(1 << 40), "2419200"),
            ] {
                let outcome = try await sender.send([], to: scene.target(), urgency: .veryLow, topic: nil, ttl: life)
                #expect(outcome == .accepted)
                let request = try await service.next()
                #expect(request.headers["ttl"] == written && request.headers["topic"] == nil)
                #expect(request.headers["urgency"] == "very-low")
            }
            // One token for one push service.
            #expect(Set(service.requests.map { $0.headers["authorization"] }).count == 1)
        }
    }

    @Test(
        "what the service says decides what becomes of the subscription",
        arguments: [
            ("HTTP/1.1 202 Accepted\r\n\r\n", PushOutcome.accepted),
            ("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", .gone), ("HTTP/1.1 404 Not Found\r\n\r\n", .gone),
            ("HTTP/1.1 413 Payload Too Large\r\n\r\n", .tooLarge),
            ("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 90\r\n\r\n", .later(after: .seconds(90))),
            ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 86400\r\n\r\n", .later(after: .seconds(3600))),
            // The clock of the scene stands at 2026-09-21T13:33:20Z.
            ("HTTP/1.1 500 Broken\r\nRetry-After: Mon, 21 Sep 2026 14:14:00 GMT\r\n\r\n", .later(after: .seconds(40))),
            ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .later(after: nil)),
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 24\r\n\r\n{\"reason\":\"BadJwtToken\"}", .refused(status: 403)),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\n", .accepted),
        ]
    )
    func outcomes(text: String, outcome: PushOutcome) async throws {
        try await TestPushService.run(.text(text)) { service in
            let scene = try SenderScene(service)
            #expect(try await scene.send() == outcome)
        }
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        try await TestPushService.run(.text(Self.created)) { other in
            let head = "HTTP/1.1 307 Temporary Redirect\r\nLocation: https://push.test:\(other.port)/x\r\n\r\n"
            try await TestPushService.run(.text(head)) { service in
                let scene = try SenderScene(service)
                var configuration = try scene.configuration()
                configuration.allowing.insert(try other.origin)
                #expect(try await scene.send(over: scene.sender(configuration)) == .refused(status: 307))
                #expect(service.requests.count == 1 && other.requests.isEmpty && other.connections == 0)
            }
        }
    }

    @Test("a service that does not answer is given up after fifteen seconds")
    func silence() async throws {
        try await TestPushService.run(.silence) { service in
            let scene = try SenderScene(service)
            let sending = Task { try await scene.send() }
            _ = try await service.next()
            scene.clock.advance(by: .seconds(15))
            await #expect(throws: PushError.timedOut(scene.origin, after: .seconds(15))) {
                // So that the test's time limit ends it too.
                try await withTaskCancellationHandler {
                    try await sending.value
                } onCancel: {
                    sending.cancel()
                }
            }
            await service.ended()
        }
    }

    @Test("a name that is looked up for ever is given up after fifteen seconds")
    func slowName() async throws {
        struct Slow: AddressResolver {
            let clock: ManualClock
            func addresses(of host: String) async throws(PushError) -> [String] {
                guard await clock.pause(for: .seconds(3600)) else { throw .cancelled }
                return []
            }
        }
        try await TestPushService.run(.silence) { service in
            let scene = try SenderScene(service)
            let sender = try scene.sender(resolver: Slow(clock: scene.clock))
            let sending = Task { try await scene.send(over: sender) }
            await scene.clock.sleepers(2)
            scene.clock.advance(by: .seconds(15))
            await #expect(throws: PushError.timedOut(scene.origin, after: .seconds(15))) { try await sending.value }
        }
    }

    @Test("a socket that does not open is given up after five seconds")
    func slowSocket() async throws {
        try await TestPushService.run(.silence) { service in
            let scene = try SenderScene(service)
            let sender = try WebPushSender(
                scene.configuration(),
                resolver: TestResolver(["127.0.0.1"]),
                time: scene.clock,
                logger: scene.log.logger
            ) { bootstrap, address in
                // It is there and not reported until it ends.
                bootstrap.connect(to: address).flatMap { channel in
                    channel.closeFuture.flatMapThrowing { throw ChannelError.eof }
                }
            }
            let sending = Task { try await scene.send(over: sender) }
            await scene.clock.sleeper(for: .seconds(5))
            scene.clock.advance(by: .seconds(5))
            await #expect(throws: PushError.timedOut(scene.origin, after: .seconds(5))) { try await sending.value }
        }
    }

    @Test("a caller that gives up is let go")
    func cancelled() async throws {
        try await TestPushService.run(.silence) { service in
            let scene = try SenderScene(service)
            let sending = Task { try await scene.send() }
            _ = try await service.next()
            sending.cancel()
            await #expect(throws: PushError.cancelled) { try await sending.value }
            await service.ended()
        }
    }

    @Test("the next address is tried where one cannot be connected to")
    func nextAddress() async throws {
        try await TestPushService.run(.text(Self.created)) { service in
            let scene = try SenderScene(service)
            // The service listens on 127.0.0.1 alone.
            let resolver = TestResolver(["127.0.0.3", "127.0.0.1"])
            #expect(try await scene.send(over: scene.sender(resolver: resolver)) == .accepted)
            #expect(resolver.asked == ["push.test"])
            let dead = TestResolver(["127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"])
            await #expect(throws: PushError.unreachable(scene.origin)) {
                try await scene.send(over: scene.sender(resolver: dead))
            }
            await #expect(throws: PushError.unknownHost(scene.origin)) {
                try await scene.send(over: scene.sender(resolver: TestResolver([])))
            }
        }
    }

    @Test("four messages at a time go to one push service, and their places are free again when they end")
    func perOrigin() async throws {
        try await TestPushService.run(.silence) { service in
            let scene = try SenderScene(service)
            var configuration = try scene.configuration()
            configuration.limits.waiting = 0
            let sender = try scene.sender(configuration)
            for _ in 0..<2 {
                let sending = (0..<4).map { _ in Task { try await scene.send(over: sender) } }
                for _ in 0..<4 { _ = try await service.next() }
                await #expect(throws: PushError.tooManyWaiting) { try await scene.send(over: sender) }
                scene.clock.advance(by: .seconds(15))
                for task in sending {
                    await #expect(throws: PushError.timedOut(scene.origin, after: .seconds(15))) {
                        try await task.value
                    }
                }
            }
            #expect(service.requests.count == 8 && service.connections == 8)
        }
    }

    @Test("certificates that cannot be read are said when the sender is made")
    func trust() async throws {
        var configuration = WebPushConfiguration(key: VAPIDKey(), contact: nil)
        configuration.certificates = Array("-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n".utf8)
        #expect(throws: PushError.malformed(.trust, rule: "certificates in PEM")) {
            try WebPushSender(configuration, logger: TestLog().logger)
        }
    }
}
