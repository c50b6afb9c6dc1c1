import NIOCore

/// Looks at the first byte of a connection, so that one port serves `ws://` and `wss://`: a TLS record of a handshake begins with 22, a
/// request with a letter.
final class TLSSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let handshakeRecord: UInt8 = 22

    private let timeout: TimeAmount
    /// Adds what comes behind this.
    private let add: (_ isSecure: Bool, _ pipeline: ChannelPipeline.SynchronousOperations) throws -> Void
    private var deadline: Scheduled<Void>?

    /// - Parameter timeout: In which the first byte has to come.
    init(
        timeout: TimeAmount,
        add: @escaping (_ isSecure: Bool, _ pipeline: ChannelPipeline.SynchronousOperations) throws -> Void
    ) {
        self.timeout = timeout
        self.add = add
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.readableBytesView.first else { return }
        do {
            try add(first == Self.handshakeRecord, context.pipeline.syncOperations)
        } catch {
            // The pipeline is gone already, and the connection with it.
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(bytes))
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
