import NIOCore
import Synchronization

/// The client's half of one connection, on its event loop: handshake, then frames.
final class WebSocketClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case opening(head: [UInt8])
        case open
        /// A close frame was sent; the peer's is awaited.
        case closing
        case closed
    }

    private let request: String
    private let key: String
    private let opened: EventLoopPromise<Void>
    private let source: WebSocketMessages.Producer.Source
    private let ending: WebSocketEnding
    private var state = State.opening(head: [])
    private var reader: WebSocketFrameReader
    private let scratch = WebSocketScratch()
    private var pings: [(payload: [UInt8], promise: EventLoopPromise<Void>)] = []
    private var pingCount: UInt64 = 0
    private var isPaused = false
    private var hasPendingRead = false

    init(
        request: String,
        key: String,
        maximumMessageBytes: Int,
        opened: EventLoopPromise<Void>,
        source: WebSocketMessages.Producer.Source,
        ending: WebSocketEnding
    ) {
        self.request = request
        self.key = key
        self.opened = opened
        self.source = source
        self.ending = ending
        reader = WebSocketFrameReader(role: .client, limit: maximumMessageBytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { sendRequest(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        sendRequest(context)
        context.fireChannelActive()
    }

    private func sendRequest(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        if case .opening(let head) = state {
            state = .opening(head: [])
            readHead(context, head, &input)
        }
        do throws(WebSocketViolation) {
            while isReading, let event = try reader.next(&input, scratch: scratch) { handle(context, event) }
        } catch {
            ending.record(.violated(error.closeCode, reason: error.reason))
            close(context, error.closeCode, reason: error.reason, within: .zero)
        }
    }

    private var isReading: Bool {
        switch state {
        case .open, .closing: true
        case .opening, .closed: false
        }
    }

    /// Collects the response's head; what follows it is frames.
    private func readHead(_ context: ChannelHandlerContext, _ start: [UInt8], _ input: inout ByteBuffer) {
        var head = start
        while let byte = input.readInteger(as: UInt8.self) {
            head.append(byte)
            guard byte == 0x0A, head.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] else { continue }
            do throws(WebSocketError) {
                try WebSocketHandshake.check(response: head, key: key)
                state = .open
                opened.succeed()
            } catch {
                fail(context, error)
            }
            return
        }
        guard head.count <= WebSocketHandshake.maximumHeadBytes else { return fail(context, .notAWebSocketServer) }
        state = .opening(head: head)
    }

    private func fail(_ context: ChannelHandlerContext, _ error: WebSocketError) {
        state = .closed
        opened.fail(error)
        context.close(promise: nil)
    }

    private func handle(_ context: ChannelHandlerContext, _ event: WebSocketEvent) {
        switch event {
        case .small(let kind, let count, _): deliver(kind, Array(scratch.bytes(count)))
        case .large(let kind, _): deliver(kind, Array(reader.takeMessage().readableBytesView))
        case .ping(let payload):
            // A peer that pings while it does not read gets no answer: answers must not pile up here.
            if case .open = state, context.channel.isWritable { write(context, .pong, payload) }
        case .pong(let payload):
            // A pong answers its ping and every earlier one (RFC 6455 section 5.5.3).
            guard let index = pings.firstIndex(where: { $0.payload == payload }) else { return }
            for ping in pings[...index] { ping.promise.succeed() }
            pings.removeFirst(index + 1)
        case .close(let code, let reason):
            ending.record(.byPeer(code, reason: reason))
            if case .open = state { write(context, .close, WebSocketFrameWriter.closePayload(code, reason: "")) }
            state = .closed
            context.close(promise: nil)
        }
    }

    private func deliver(_ kind: WebSocketDataKind, _ bytes: [UInt8]) {
        guard case .open = state else { return }
        if case .stopProducing = source.yield(kind == .text ? .text(bytes) : .binary(bytes)) { isPaused = true }
    }

    /// While the reader is behind, the channel is not read.
    func read(context: ChannelHandlerContext) {
        if isPaused { hasPendingRead = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? WebSocketClientEvent else { return context.fireUserInboundEventTriggered(event) }
        switch event {
        case .resumeReading:
            isPaused = false
            guard hasPendingRead else { return }
            hasPendingRead = false
            context.read()
        case .ping(let promise): ping(context, promise)
        case .close(let code, let reason, let limit):
            ending.record(.byUs)
            close(context, code, reason: reason, within: limit)
        }
    }

    private func ping(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>) {
        guard case .open = state else { return promise.fail(WebSocketError.closed) }
        pingCount += 1
        let payload = withUnsafeBytes(of: pingCount.bigEndian) { Array($0) }
        // Unanswered pings are few: whoever sends them waits, or gives the connection up.
        if pings.count >= 16 { pings.removeFirst().promise.fail(WebSocketError.closed) }
        pings.append((payload, promise))
        write(context, .ping, payload)
    }

    private func close(
        _ context: ChannelHandlerContext,
        _ code: WebSocketCloseCode,
        reason: String,
        within limit: TimeAmount
    ) {
        switch state {
        case .open:
            state = .closing
            write(context, .close, WebSocketFrameWriter.closePayload(code, reason: reason))
            let channel = context.channel
            context.eventLoop.assumeIsolated().scheduleTask(in: limit) { channel.close(promise: nil) }
        case .opening:
            fail(context, .closed)
        case .closing, .closed:
            break
        }
    }

    private func write(_ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ payload: [UInt8]) {
        var buffer = context.channel.allocator.buffer(capacity: payload.count + 14)
        payload.withUnsafeBytes { bytes in
            WebSocketFrameWriter.append(opcode, bytes, mask: .random(in: .min ... .max), to: &buffer)
        }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What went wrong below (TLS, a reset) ends the connection; only while opening does somebody wait for the reason.
        opened.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closed
        ending.record(.lost)
        opened.fail(WebSocketError.notAWebSocketServer)
        for ping in pings { ping.promise.fail(WebSocketError.closed) }
        pings = []
        source.finish()
        context.fireChannelInactive()
    }
}
