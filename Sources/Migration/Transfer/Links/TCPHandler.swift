import NIOCore

/// Hands what a TCP connection brings to its inbox, which alone says when more is read.
final class TCPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: TCPInbox
    private let isReady: () -> Void

    /// - Parameter isReady: Called once the connection can be written to.
    init(_ inbox: TCPInbox, isReady: @escaping () -> Void) {
        self.inbox = inbox
        self.isReady = isReady
    }

    func channelActive(context: ChannelHandlerContext) {
        isReady()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.take(unwrapInboundIn(data).readableBytesView)
    }

    func channelReadComplete(context: ChannelHandlerContext) { inbox.readIsComplete() }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.end(nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        inbox.end(.linkLost)
        context.close(promise: nil)
    }
}
