package import NIOCore

/// The first handler of an accepted connection: reads one request head, then makes way for the handler it is for.
///
/// A WebSocket handshake is answered here, without SwiftNIO's HTTP pipeline: half the work for each connection. Anything else is
/// handed on with its bytes.
package final class WebSocketAcceptHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    package enum Decision {
        /// The handler that speaks WebSocket from here on, and the subprotocol that it speaks.
        case accept(any ChannelHandler & Sendable, subprotocol: String? = nil)
        /// An HTTP response, whole; the connection is closed behind it.
        case refuse(response: String)
    }

    /// The decisions of the listener's owner about a connection. Called on its event loop.
    package struct Routes: Sendable {
        package var upgrade: @Sendable (WebSocketHandshake.Request, any Channel) -> Decision
        /// Puts an HTTP pipeline into the channel; its bytes follow. False refuses.
        package var http: @Sendable (any Channel) -> EventLoopFuture<Bool>

        package init(
            upgrade: @escaping @Sendable (WebSocketHandshake.Request, any Channel) -> Decision,
            http: @escaping @Sendable (any Channel) -> EventLoopFuture<Bool>
        ) {
            self.upgrade = upgrade
            self.http = http
        }
    }

    private let routes: Routes
    private let timeout: TimeAmount
    private let proxy: ProxyHeaderHandler?
    private let certificateHash: [UInt8]?
    private var received: ByteBuffer?
    private var endOfHead = HeadEnd()
    private var deadline: Scheduled<Void>?
    private var isDecided = false

    /// - Parameters:
    ///   - timeout: From the connection's first packet to the end of the request's head.
    ///   - proxy: The reader of a trusted proxy's header on this connection.
    package init(
        routes: Routes,
        timeout: TimeAmount,
        proxy: ProxyHeaderHandler? = nil,
        certificateHash: [UInt8]? = nil
    ) {
        self.routes = routes
        self.timeout = timeout
        self.proxy = proxy
        self.certificateHash = certificateHash
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        var bytes = received.take() ?? context.channel.allocator.buffer(capacity: input.readableBytes)
        bytes.writeBuffer(&input)
        guard !isDecided else {
            received = bytes
            return
        }
        let view = bytes.readableBytesView
        // The head may be of any method: one that drips in must not hold a place among the requests that are served.
        guard let end = endOfHead.find(in: view) else {
            guard bytes.readableBytes <= WebSocketHandshake.maximumHeadBytes else {
                return refuse(context, WebSocketHandshake.response(431, "Request Header Fields Too Large"))
            }
            received = bytes
            return
        }
        switch WebSocketHandshake.parse(request: Array(view[..<end])) {
        case .http: handOver(context, bytes)
        case .refused(let response): refuse(context, response)
        case .upgrade(var request):
            request.source = proxy?.source
            request.certificateHash = certificateHash
            bytes.moveReaderIndex(to: end)
            switch routes.upgrade(request, context.channel) {
            case .refuse(let response): refuse(context, response)
            case .accept(let handler, let subprotocol):
                accept(context, request.acceptance(subprotocol: subprotocol), handler, bytes)
            }
        }
    }

    private func accept(
        _ context: ChannelHandlerContext,
        _ acceptance: String,
        _ handler: any ChannelHandler & Sendable,
        _ rest: ByteBuffer
    ) {
        isDecided = true
        deadline?.cancel()
        context.writeAndFlush(
            wrapOutboundOut(context.channel.allocator.buffer(string: acceptance)),
            promise: nil
        )
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            // The pipeline is gone already, and the connection with it.
            return context.close(promise: nil)
        }
        if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Makes the HTTP pipeline, then gives it what came so far.
    private func handOver(_ context: ChannelHandlerContext, _ bytes: ByteBuffer) {
        isDecided = true
        received = bytes
        deadline?.cancel()
        let bound = NIOLoopBound((context, self), eventLoop: context.eventLoop)
        routes.http(context.channel).whenComplete { result in
            let (context, handler) = bound.value
            guard case .success(true) = result else { return context.close(promise: nil) }
            if let bytes = handler.received.take() {
                context.fireChannelRead(handler.wrapInboundOut(bytes))
                context.fireChannelReadComplete()
            }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ response: String) {
        isDecided = true
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(channel.allocator.buffer(string: response)))
            .whenComplete { _ in channel.close(promise: nil) }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A broken TLS handshake or a reset: no caller here waits for the reason.
        context.close(promise: nil)
    }

    package typealias InboundOut = ByteBuffer
}

/// Looks for the empty line behind a request's head, each byte once, however it arrives.
private struct HeadEnd {
    private var matched = 0
    private var seen = 0

    /// - Returns: The index behind the head; nil while it has not ended.
    mutating func find(in view: ByteBufferView) -> Int? {
        for index in view.indices.dropFirst(seen) {
            seen += 1
            let expected: UInt8 = matched.isMultiple(of: 2) ? 0x0D : 0x0A
            if view[index] == expected { matched += 1 } else { matched = view[index] == 0x0D ? 1 : 0 }
            if matched == 4 { return index + 1 }
        }
        return nil
    }
}
