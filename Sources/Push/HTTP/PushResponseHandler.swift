import NIOCore
import NIOHTTP1

/// One request and the head of its answer. The connection's owner closes it then.
final class PushResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// The connection ended without an answer.
    struct Closed: Error {}

    private let request: PushRequest
    private let answered: EventLoopPromise<PushAnswer>

    init(_ request: PushRequest, answered: EventLoopPromise<PushAnswer>) {
        self.request = request
        self.answered = answered
    }

    func channelActive(context: ChannelHandlerContext) {
        // TLS keeps it until the service has proved itself.
        context.write(wrapOutboundOut(.head(request.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        answered.succeed(
            PushAnswer(status: Int(head.status.code), retryAfter: head.headers.first(name: "Retry-After"))
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answered.fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answered.fail(Closed())
        context.fireChannelInactive()
    }
}
