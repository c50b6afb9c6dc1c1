import NIOCore
import NIOSSL
import NIOTLS

/// The certificate with which a server proves to a certificate's authority that a name leads here, in a handshake of its own (RFC 8737).
package struct ChallengeIdentity: Sendable {
    /// The protocol that such a handshake is about, alone.
    static let protocolName = "acme-tls/1"

    /// In lower case.
    package let name: String
    let context: NIOSSLContext

    /// - Parameters:
    ///   - certificate: DER.
    ///   - key: Its private key, PEM.
    /// - Throws: What the TLS library says of them.
    package init(name: String, certificate: [UInt8], key: String) throws {
        self.name = name.lowercased()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: certificate, format: .der))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = [Self.protocolName]
        context = try NIOSSLContext(configuration: configuration)
    }
}

/// Reads the first message of a connection while a challenge stands: an authority's handshake gets the challenge's certificate, and every other
/// one the server's own.
final class ChallengeSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let challenges: [String: ChallengeIdentity]
    private let timeout: TimeAmount
    /// Adds what comes behind this on every other connection.
    private let addUsual: (_ pipeline: ChannelPipeline.SynchronousOperations) throws -> Void
    private var received: ByteBuffer?
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - challenges: By their names.
    ///   - timeout: In which the first message has to come.
    init(
        _ challenges: [String: ChallengeIdentity],
        timeout: TimeAmount,
        addUsual: @escaping (_ pipeline: ChannelPipeline.SynchronousOperations) throws -> Void
    ) {
        self.challenges = challenges
        self.timeout = timeout
        self.addUsual = addUsual
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        var bytes = received.take() ?? context.channel.allocator.buffer(capacity: input.readableBytes)
        bytes.writeBuffer(&input)
        let parsed = ClientHello.parse(bytes.readableBytesView)
        guard parsed != .incomplete else {
            received = bytes
            return
        }
        do {
            let pipeline = context.pipeline.syncOperations
            if let challenge = challenge(for: parsed) {
                try pipeline.addHandlers([
                    NIOSSLServerHandler(context: challenge.context), ChallengeEnd(timeout: timeout),
                ])
            } else {
                try addUsual(pipeline)
            }
        } catch {
            // There is no certificate for it yet, or the connection is gone.
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func challenge(for parsed: ClientHello.Parsed) -> ChallengeIdentity? {
        guard case .hello(let hello) = parsed, hello.protocols == [ChallengeIdentity.protocolName] else { return nil }
        return hello.serverName.flatMap { challenges[$0] }
    }
}

/// Ends an authority's connection once its handshake is over: nothing is said on it.
private final class ChallengeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?

    init(timeout: TimeAmount) { self.timeout = timeout }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
