import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing
import WebClient
import WebClientTesting

/// A server on loopback that writes whatever a test tells it to, byte for byte.
final class RawServer: Sendable {
    enum Step: Sendable {
        case text(String)
        case bytes([UInt8])
        /// This text again and again, until the client is gone.
        case flood(String)
        /// Ends what it writes, and goes on reading.
        case halfClose
        case close
    }

    fileprivate struct State {
        var answers: [[Step]]
        var requests: [String] = []
        var connections = 0
        var flooded = 0
    }

    let port: Int
    private let channel: any Channel
    private let box: Box
    private let endings: AsyncStream<Void>

    fileprivate final class Box: Sendable {
        let state: Mutex<State>
        let hasEnded: AsyncStream<Void>.Continuation
        let greeting: String?

        init(_ answers: [[Step]], greeting: String?, _ hasEnded: AsyncStream<Void>.Continuation) {
            self.greeting = greeting
            state = Mutex(State(answers: answers))
            self.hasEnded = hasEnded
        }

        func answer(_ request: String) -> [Step] {
            state.withLock { state in
                state.requests.append(request)
                return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
            }
        }
    }

    private init(_ answers: [[Step]], greeting: String?, certificate: TestCertificate?) async throws {
        let (endings, hasEnded) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(64))
        let box = Box(answers, greeting: greeting, hasEnded)
        let tls = try certificate.map { certificate in
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(certificate.certificate)],
                privateKey: .privateKey(certificate.key)
            )
            tls.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: tls)
        }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(RawConnection(box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = try #require(channel.localAddress?.port)
        self.box = box
        self.endings = endings
    }

    /// Runs `body` with a server, and ends the server.
    ///
    /// - Parameters:
    ///   - answers: One for each request, whatever connection it comes on; the last one repeats.
    ///   - greeting: What the server says first on each connection.
    static func run(
        _ answers: [Step]...,
        greeting: String? = nil,
        certificate: TestCertificate? = nil,
        body: (RawServer) async throws -> Void
    ) async throws {
        let server = try await RawServer(answers, greeting: greeting, certificate: certificate)
        do {
            try await body(server)
        } catch {
            try await server.channel.close()
            throw error
        }
        try await server.channel.close()
    }

    func url(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") throws -> WebURL {
        try WebURL("\(scheme)://\(host):\(port)\(path)")
    }

    /// The head of each request, with its body.
    var requests: [String] { box.state.withLock(\.requests) }
    var connections: Int { box.state.withLock(\.connections) }
    /// Bytes that a flood wrote.
    var flooded: Int { box.state.withLock(\.flooded) }

    /// Returns once a client has closed a connection, one for each call.
    func ended() async { _ = await endings.first { _ in true } }
}

private final class RawConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let box: RawServer.Box
    private var received: [UInt8] = []
    private var flood: ByteBuffer?

    init(_ box: RawServer.Box) { self.box = box }

    func channelActive(context: ChannelHandlerContext) {
        box.state.withLock { $0.connections += 1 }
        if let greeting = box.greeting { write(Array(greeting.utf8), context) }
    }

    func channelInactive(context: ChannelHandlerContext) { box.hasEnded.yield() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(unwrapInboundIn(data).readableBytesView)
        while let request = nextRequest() { answer(request, context) }
    }

    private func nextRequest() -> String? {
        guard let text = String(validating: received, as: UTF8.self), let end = text.range(of: "\r\n\r\n") else {
            return nil
        }
        let length =
            text[..<end.lowerBound].split(separator: "\r\n").lazy
            .filter { $0.lowercased().hasPrefix("content-length:") }
            .compactMap { Int($0.split(separator: " ").last ?? "") }.first ?? 0
        let whole = text[..<end.upperBound].utf8.count + length
        guard received.count >= whole else { return nil }
        defer { received.removeFirst(whole) }
        return String(decoding: received.prefix(whole), as: UTF8.self)
    }

    private func answer(_ request: String, _ context: ChannelHandlerContext) {
        for step in box.answer(request) {
            switch step {
            case .text(let text): write(Array(text.utf8), context)
            case .bytes(let bytes): write(bytes, context)
            case .flood(let text):
                flood = ByteBuffer(string: String(repeating: text, count: max(1, 1024 / text.utf8.count)))
                writeFlood(context)
            case .halfClose: context.close(mode: .output, promise: nil)
            case .close: context.close(promise: nil)
            }
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// One piece after the other has left, so that the loop's other connections have their turns.
    private func writeFlood(_ context: ChannelHandlerContext) {
        guard let flood else { return }
        box.state.withLock { $0.flooded += flood.readableBytes }
        let next = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(flood)).assumeIsolated().whenSuccess { _ in
            let context = next.value
            next.eventLoop.assumeIsolated().execute { self.writeFlood(context) }
        }
    }
}
