import NIOCore

/// Hands what a TCP connection brings to its inbox, which alone says when more is read.
final class TCPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: TCPInbox

    init(_ inbox: TCPInbox) { self.inbox = inbox }

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
