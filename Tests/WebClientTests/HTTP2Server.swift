import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing
import WebClient
import WebClientTesting

/// A server on loopback that speaks the few frames of HTTP/2 (RFC 9113) that a test needs.
final class HTTP2Server: Sendable {
    /// What is done with a stream that a client begins.
    enum Answer: Sendable {
        /// Status 200 without a body.
        case fine
        /// The server takes no stream any more, this one neither, and closes.
        case goAway
        /// The server ends the stream.
        case reset
    }

    fileprivate struct State {
        var answers: [Answer]
        var connections = 0
        var streams = 0
    }

    let port: Int
    private let channel: any Channel
    fileprivate let state: Box

    fileprivate final class Box: Sendable {
        let value: Mutex<State>

        init(_ answers: [Answer]) { value = Mutex(State(answers: answers)) }
    }

    private init(_ answers: [Answer], _ certificate: TestCertificate) async throws {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate.certificate)],
            privateKey: .privateKey(certificate.key)
        )
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let box = Box(answers)
        state = box
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(HTTP2Connection(box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = try #require(channel.localAddress?.port)
    }

    /// - Parameter answers: One for each stream, whatever connection it comes on; the last one repeats.
    static func run(
        _ answers: Answer...,
        certificate: TestCertificate,
        body: (HTTP2Server) async throws -> Void
    ) async throws {
        let server = try await HTTP2Server(answers, certificate)
        do {
            try await body(server)
        } catch {
            try await server.channel.close()
            throw error
        }
        try await server.channel.close()
    }

    var connections: Int { state.value.withLock(\.connections) }
    var streams: Int { state.value.withLock(\.streams) }
}

private final class HTTP2Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let prefaceLength = 24
    private static let headLength = 9

    private let box: HTTP2Server.Box
    private var received: [UInt8] = []
    private var isGreeted = false

    init(_ box: HTTP2Server.Box) { self.box = box }

    func channelActive(context: ChannelHandlerContext) { box.value.withLock { $0.connections += 1 } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(unwrapInboundIn(data).readableBytesView)
        if !isGreeted {
            guard received.count >= Self.prefaceLength else { return }
            received.removeFirst(Self.prefaceLength)
            isGreeted = true
            write(type: 4, flags: 0, stream: 0, [], context)
        }
        while received.count >= Self.headLength {
            let length = Int(received[0]) << 16 | Int(received[1]) << 8 | Int(received[2])
            guard received.count >= Self.headLength + length else { return }
            let (type, flags) = (received[3], received[4])
            let stream = received[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            received.removeFirst(Self.headLength + length)
            take(type, flags, stream, context)
        }
    }

    private func take(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ context: ChannelHandlerContext) {
        switch type {
        // SETTINGS, which are acknowledged.
        case 4 where flags & 1 == 0: write(type: 4, flags: 1, stream: 0, [], context)
        // HEADERS: a stream begins.
        case 1: answer(stream, context)
        default: break
        }
    }

    private func answer(_ stream: UInt32, _ context: ChannelHandlerContext) {
        let answer = box.value.withLock { state in
            state.streams += 1
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        switch answer {
        // END_STREAM and END_HEADERS; 0x88 is ":status: 200" of HPACK's static table.
        case .fine: write(type: 1, flags: 5, stream: stream, [0x88], context)
        // The last stream that was taken, and NO_ERROR.
        case .goAway:
            write(type: 7, flags: 0, stream: 0, [UInt8](repeating: 0, count: 8), context)
            context.close(promise: nil)
        // REFUSED_STREAM.
        case .reset: write(type: 3, flags: 0, stream: stream, [0, 0, 0, 7], context)
        }
    }

    private func write(type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8], _ context: ChannelHandlerContext)
    {
        var frame = context.channel.allocator.buffer(capacity: Self.headLength + payload.count)
        frame.writeBytes([0, 0, UInt8(payload.count), type, flags])
        frame.writeInteger(stream)
        frame.writeBytes(payload)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
