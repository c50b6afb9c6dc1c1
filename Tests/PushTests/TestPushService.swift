import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing
import WebClientTesting

@testable import Push

/// A push service on loopback: it records what it is sent, and answers whatever a test tells it to.
final class TestPushService: Sendable {
    enum Answer: Sendable {
        case text(String)
        case silence
        /// This text, and then `x` for ever.
        case flood(String)
        case close
    }

    struct Request: Hashable, Sendable {
        let line: String
        let headers: [String: String]
        let body: [UInt8]
    }

    private struct State {
        var answers: [Answer]
        var requests: [Request] = []
        var names: [String?] = []
        var flooded = 0
        var connections = 0
    }

    static let name = "push.test"

    let port: Int
    let certificate: TestCertificate
    private let channel: any Channel
    private let state: Mutex<State>
    private let arrivals: AsyncStream<Request>
    private let arrived: AsyncStream<Request>.Continuation
    private let endings: AsyncStream<Void>
    private let hasEnded: AsyncStream<Void>.Continuation

    /// - Parameter answers: In order; the last one repeats.
    init(_ answers: [Answer], names: [String] = [name]) async throws {
        let certificate = try TestCertificate(names: names)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate.certificate)],
            privateKey: .privateKey(certificate.key)
        )
        tls.applicationProtocols = ["http/1.1"]
        let holder = ServiceBox()
        tls.sslContextCallback = { hello, verdict in
            holder.service.withLock { $0 }?.asked(for: hello.serverHostname)
            verdict.succeed(.noChanges)
        }
        let context = try NIOSSLContext(configuration: tls)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(TestPushConnection(holder))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = try #require(channel.localAddress?.port)
        self.certificate = certificate
        state = Mutex(State(answers: answers))
        (arrivals, arrived) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .bufferingNewest(64))
        (endings, hasEnded) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(64))
        holder.service.withLock { $0 = self }
    }

    /// Runs `body` with a service, and ends the service.
    static func run(
        _ answers: Answer...,
        names: [String] = [name],
        body: (TestPushService) async throws -> Void
    ) async throws {
        let service = try await TestPushService(answers, names: names)
        do {
            try await body(service)
        } catch {
            try await service.channel.close()
            throw error
        }
        try await service.channel.close()
    }

    var origin: PushOrigin { get throws { try PushOrigin("https://\(Self.name):\(port)") } }
    var requests: [Request] { state.withLock(\.requests) }
    /// The server names of TLS that were asked for.
    var names: [String?] { state.withLock(\.names) }
    /// Bytes that a flood wrote until the sender was gone.
    var flooded: Int { state.withLock(\.flooded) }
    /// Connections that were ever made to it.
    var connections: Int { state.withLock(\.connections) }

    /// The next request that is whole.
    func next() async throws -> Request {
        try #require(await arrivals.first { _ in true })
    }

    /// Returns once a sender has closed a connection, one for each call.
    func ended() async { _ = await endings.first { _ in true } }

    fileprivate func answer(_ request: Request) -> Answer {
        defer { arrived.yield(request) }
        return state.withLock { state in
            state.requests.append(request)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
    }

    fileprivate func asked(for name: String?) { state.withLock { $0.names.append(name) } }

    fileprivate func opened() { state.withLock { $0.connections += 1 } }

    fileprivate func closed() { hasEnded.yield() }

    fileprivate func wrote(_ count: Int) { state.withLock { $0.flooded += count } }
}

/// A service that its connections know, although it is made after its socket.
private final class ServiceBox: Sendable {
    let service = Mutex<TestPushService?>(nil)
}

/// One connection: collects a request, then does what the service says.
private final class TestPushConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let box: ServiceBox
    private var received: [UInt8] = []
    private var isAnswered = false

    init(_ box: ServiceBox) { self.box = box }

    private var service: TestPushService? { box.service.withLock { $0 } }

    func channelActive(context: ChannelHandlerContext) { service?.opened() }
    func channelInactive(context: ChannelHandlerContext) { service?.closed() }
    // Senders end connections without farewell.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        guard !isAnswered, let request = TestPushService.Request(received), let service else { return }
        isAnswered = true
        switch service.answer(request) {
        case .text(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .silence: break
        case .close: context.close(promise: nil)
        case .flood(let text):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            Self.flood(context.channel, service)
        }
    }

    private static func flood(_ channel: any Channel, _ service: TestPushService) {
        let count = 64 << 10
        channel.writeAndFlush(ByteBuffer(repeating: UInt8(ascii: "x"), count: count)).whenSuccess {
            service.wrote(count)
            flood(channel, service)
        }
    }
}

extension TestPushService.Request {
    /// Nil until it is whole.
    fileprivate init?(_ bytes: [UInt8]) {
        let emptyLine = Array("\r\n\r\n".utf8)
        let end = bytes.indices.first { bytes[$0...].starts(with: emptyLine) }
        guard let end else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let start = end + emptyLine.count
        guard let length = headers["content-length"].flatMap({ Int($0) }), bytes.count >= start + length else {
            return nil
        }
        line = lines[0]
        self.headers = headers
        body = Array(bytes[start..<(start + length)])
    }
}
