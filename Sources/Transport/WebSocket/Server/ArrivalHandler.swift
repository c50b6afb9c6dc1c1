import NIOCore

/// Tells of connections in the order in which a listening socket gives them out.
final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let arrived: @Sendable (any Channel) -> Void

    init(arrived: @escaping @Sendable (any Channel) -> Void) { self.arrived = arrived }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }
}
