import Foundation
import Kernel
import KernelTesting
import NIOCore
import Testing
import WebClientTesting

@testable import Push

@Suite("Push services and subscriptions that mean harm", .timeLimit(.minutes(2)))
struct HostileServiceTests {
    /// What a service may have put on its way before it noticed: buffers of both systems on loopback.
    private static let onItsWay = 64 << 20
    private static let created = "HTTP/1.1 201 Created\r\n\r\n"

    @Test(
        "an answer without an end is not read on",
        arguments: ["", "HTTP/1.1 201 Created\r\nX: ", "HTTP/1.1 201 ", "HTTP/1.1 201 Created\r\n"]
    )
    func endlessHead(start: String) async throws {
        try await TestPushService.run(.flood(start)) { service in
            let scene = try SenderScene(service)
            await #expect(throws: PushError.brokenAnswer(scene.origin)) { try await scene.send() }
            await service.ended()
            #expect(service.flooded < Self.onItsWay)
        }
    }

    @Test("answers that are none yet count for the head, too")
    func informational() async throws {
        let head = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000)
        try await TestPushService.run(.text(head + "HTTP/1.1 201 Created\r\n\r\n")) { service in
            let scene = try SenderScene(service)
            await #expect(throws: PushError.brokenAnswer(scene.origin)) { try await scene.send() }
        }
    }

    @Test("a body without an end is not read, and the answer counts")
    func endlessBody() async throws {
        try await TestPushService.run(.flood("HTTP/1.1 201 Created\r\n\r\n")) { service in
            let scene = try SenderScene(service)
            #expect(try await scene.send() == .accepted)
            await service.ended()
            #expect(service.flooded < Self.onItsWay)
        }
    }

    @Test("what is not HTTP is no answer")
    func notHTTP() async throws {
        try await TestPushService.run(.text("SSH-2.0-OpenSSH_9.9\r\n\r\n")) { service in
            let scene = try SenderScene(service)
            await #expect(throws: PushError.brokenAnswer(scene.origin)) { try await scene.send() }
        }
    }

    @Test("a connection that ends without an answer is one that could not be reached")
    func closed() async throws {
        try await TestPushService.run(.close) { service in
            let scene = try SenderScene(service)
            await #expect(throws: PushError.unreachable(scene.origin)) { try await scene.send() }
        }
    }

    @Test("a certificate for another name is not believed, and the service learns nothing")
    func wrongName() async throws {
        try await TestPushService.run(.text(Self.created), names: ["other.test"]) { service in
            let scene = try SenderScene(service)
            await #expect(throws: PushError.untrusted(scene.origin)) { try await scene.send() }
            #expect(service.requests.isEmpty && service.connections == 1)
        }
    }

    @Test("a certificate of nobody's is not believed, also from an origin that the owner allows")
    func strangerCertificate() async throws {
        try await TestPushService.run(.text(Self.created)) { service in
            let scene = try SenderScene(service)
            for certificates in [nil, try TestCertificate(names: [TestPushService.name]).pem] {
                var configuration = try scene.configuration()
                configuration.certificates = certificates
                await #expect(throws: PushError.untrusted(scene.origin)) {
                    try await scene.send(over: scene.sender(configuration))
                }
            }
            #expect(service.requests.isEmpty)
        }
    }

    @Test("a name is looked up once, and connected to at the address that was checked: rebinding it gains nothing")
    func rebinding() async throws {
        try await TestPushService.run(.text(Self.created), names: ["push.example.net"]) { service in
            let scene = try SenderScene(service)
            let resolver = TestResolver(
                ["93.184.215.14"],
                ["127.0.0.1"],
                ["93.184.215.14", "10.0.0.1"],
                ["not an address"]
            )
            let sockets = TestSockets(port: service.port)
            let sender = try WebPushSender(
                scene.configuration(),
                resolver: resolver,
                time: scene.clock,
                logger: scene.log.logger,
                open: sockets.open
            )
            let target = try scene.browser.subscription("https://push.example.net/a")
            let origin = try PushOrigin("https://push.example.net")
            func send() async throws -> PushOutcome {
                try await sender.send([], to: target, urgency: .normal, topic: nil, ttl: .zero)
            }
            // The certificate has the right name, and no authority of the system's: the owner's own counts for the owner's origins alone.
            await #expect(throws: PushError.untrusted(origin)) { try await send() }
            #expect(sockets.opened == ["93.184.215.14:443"] && resolver.asked == ["push.example.net"])
            #expect(service.names == ["push.example.net"])
            for _ in 0..<3 { await #expect(throws: PushError.addressNotAllowed(origin)) { try await send() } }
            #expect(sockets.opened == ["93.184.215.14:443"] && resolver.asked.count == 4)
            #expect(service.requests.isEmpty)
        }
    }

    @Test("an origin that the owner allows no more is asked about again when a message is sent")
    func allowedBefore() async throws {
        try await TestPushService.run(.text(Self.created)) { service in
            let scene = try SenderScene(service)
            var configuration = try scene.configuration()
            configuration.allowing = []
            await #expect(throws: PushError.originNotAllowed(scene.origin)) {
                try await scene.send(over: scene.sender(configuration))
            }
            #expect(service.connections == 0)
        }
    }

    @Test(
        "addresses that are not the Internet's are refused",
        arguments: [
            "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1", "100.127.255.255", "0.0.0.0", "0.1.2.3", "192.0.0.1", "192.0.2.1", "192.88.99.1",
            "198.18.0.1",
            "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1",
            "255.255.255.255",
            "::", "::1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fdff::1", "ff02::1", "2001:db8::1", "3fff:fff::1",
            "2001::1", "2001:2::1", "2001:10::1", "100::1", "64:ff9b:1::1", "5f00::1", "4000::1", "::7f00:1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:203.0.113.7", "::ffff:255.255.255.255",
            "64:ff9b::127.0.0.1", "64:ff9b::192.168.1.1", "64:ff9b::e000:1", "2002:7f00:1::1", "2002:c0a8:101::1",
            "2002:a9fe:a9fe::1", "2002:e000:1::1",
        ]
    )
    func special(text: String) throws {
        #expect(!PublicInternet.reaches(try SocketAddress(ipAddress: text, port: 443)))
    }

    @Test(
        "addresses of the Internet are taken",
        arguments: [
            "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
            "172.32.0.0", "192.0.1.1", "198.17.255.255", "198.20.0.0", "223.255.255.255", "93.184.215.14",
            "2606:4700::1111", "2a00:1450:4001:81b::200a", "2001:4860:4860::8888", "2001:200::1", "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8", "2002:808:808::1",
        ]
    )
    func everywhere(text: String) throws {
        #expect(PublicInternet.reaches(try SocketAddress(ipAddress: text, port: 443)))
    }
}
