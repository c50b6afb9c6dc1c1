import NIOCore

/// Lets through as many bytes of an answer as a head may have. The answer is taken when its head is there, so no body needs more.
final class ResponseBound: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The answer's head is larger than what is let through.
    struct Exceeded: Error {}

    /// Bytes of a head.
    static let largestHead = 16 << 10
    private var left = ResponseBound.largestHead

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        guard left >= 0 else { return }
        let exceeds = buffer.readableBytes > left
        guard let start = buffer.readSlice(length: min(left, buffer.readableBytes)) else { return }
        left -= start.readableBytes
        if start.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(start)) }
        guard exceeds else { return }
        left = -1
        // Nothing more is read until the connection's owner closes it. A channel that is closed already refuses the option.
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        context.fireErrorCaught(Exceeded())
    }
}
