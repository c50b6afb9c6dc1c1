import NIOCore

/// One end of one connection, on its event loop: a client's handshake, then the frames of either end.
///
/// Sendable because its variables are touched on its channel's event loop only, where the pipeline calls it; it is made on another thread
/// at a client, and handed over before the first call.
final class WebSocketConnectionHandler: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A client's half of the opening handshake.
    struct Opening {
        let request: String
        let key: String
        let subprotocols: [String]
        /// Succeeds with the subprotocol that the server chose.
        let opened: EventLoopPromise<String?>
    }

    /// The socket's progress, which changes while it takes anything, also of one long message.
    private struct Progress: Equatable {
        let messages: UInt64
        let channelBytes: Int
    }

    private enum State {
        case opening(head: [UInt8])
        case open
        /// A close frame was sent; the peer's is awaited.
        case closing
        /// A closing connection whose peer broke the protocol: what it still sends is thrown away unread, because closing at once would reset
        /// the connection and take the close frame with it.
        case discarding
        case closed
    }

    private let role: WebSocketRole
    private let opening: Opening?
    private let configuration: WebSocketConfiguration
    private let source: WebSocketMessages.Producer.Source
    private let buffered: BufferedBytes
    private let output: WebSocketOutput
    private let ending: WebSocketEnding
    /// The cost of messages: how long nothing is to be read after so many of them, nil for no wait.
    private let spend: @Sendable (Int) -> TimeAmount?
    private var state: State
    private var reader: WebSocketFrameReader
    private var pings: [(payload: [UInt8], promise: EventLoopPromise<Void>)] = []
    private var pingCount: UInt64 = 0
    /// The reader of the messages is behind.
    private var isPaused = false
    /// Too many messages came lately.
    private var isThrottled = false
    private var hasReaderLeft = false
    private var hasPendingRead = false
    private var keepAlive: RepeatedTask?
    private var wasHeard = false
    private var isAwaitingLife = false
    /// How far the socket was at the last check; nil where nothing waited.
    private var progress: Progress?

    /// - Parameter opening: Nil for a server's end, whose handshake is over.
    init(
        opening: Opening?,
        configuration: WebSocketConfiguration,
        source: WebSocketMessages.Producer.Source,
        buffered: BufferedBytes,
        output: WebSocketOutput,
        ending: WebSocketEnding,
        spend: @escaping @Sendable (Int) -> TimeAmount? = { _ in nil }
    ) {
        role = opening == nil ? .server : .client
        self.opening = opening
        self.configuration = configuration
        self.source = source
        self.buffered = buffered
        self.output = output
        self.ending = ending
        self.spend = spend
        state = opening == nil ? .open : .opening(head: [])
        reader = WebSocketFrameReader(
            role: role,
            limit: min(configuration.firstMessageBytes ?? .max, configuration.maximumMessageBytes)
        )
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { sendRequest(context) }
        guard let interval = configuration.keepAliveInterval.map({ TimeAmount($0) }) else { return }
        let bound = NIOLoopBound((context, self), eventLoop: context.eventLoop)
        keepAlive = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let (context, handler) = bound.value
            handler.checkLife(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        keepAlive?.cancel()
        end()
    }

    func channelActive(context: ChannelHandlerContext) {
        sendRequest(context)
        context.fireChannelActive()
    }

    private func sendRequest(_ context: ChannelHandlerContext) {
        guard let opening else { return }
        let request = context.channel.allocator.buffer(string: opening.request)
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        wasHeard = true
        if case .discarding = state { return }
        if case .opening(let head) = state {
            state = .opening(head: [])
            readHead(context, head, &input)
        }
        var count = 0
        // Made for a read and let go of behind it: ten thousand idle connections would keep ten thousand of them.
        let scratch = WebSocketScratch()
        do throws(WebSocketViolation) {
            while isReading, let event = try reader.next(&input, scratch: scratch) {
                count += 1
                handle(context, event, scratch)
            }
        } catch {
            ending.record(.violated(error.closeCode, reason: error.reason))
            let limit = role == .server ? TimeAmount(configuration.closeTimeout) : .zero
            close(context, error.closeCode, reason: error.reason, within: limit)
            if role == .server, case .closing = state { state = .discarding }
        }
        throttle(context, count)
    }

    private var isReading: Bool {
        switch state {
        case .open, .closing: true
        case .opening, .discarding, .closed: false
        }
    }

    /// A peer that is over a limit is not read for a while; nothing is lost.
    private func throttle(_ context: ChannelHandlerContext, _ count: Int) {
        guard count > 0, !isThrottled, let wait = spend(count) else { return }
        isThrottled = true
        let bound = NIOLoopBound((context, self), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: wait) {
            let (context, handler) = bound.value
            handler.isThrottled = false
            handler.resumeReading(context)
        }
    }

    private func checkLife(_ context: ChannelHandlerContext) {
        guard case .open = state else { return }
        let now = output.waitingBytes > 0 ? progressNow(context) : nil
        let isStuck = now != nil && now == progress
        progress = now
        // A peer that is not read cannot be heard.
        let isDeaf = isPaused || isThrottled
        guard !isStuck, !isAwaitingLife || wasHeard || isDeaf else {
            ending.record(.lost)
            return context.close(promise: nil)
        }
        isAwaitingLife = !wasHeard && !isDeaf
        wasHeard = false
        if isAwaitingLife { write(context, .ping, []) }
    }

    private func progressNow(_ context: ChannelHandlerContext) -> Progress {
        // Fails only on a channel that is closed already.
        let bytes = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        return Progress(messages: output.takenCount, channelBytes: bytes ?? 0)
    }

    /// Collects the response's head; what follows it is frames.
    private func readHead(_ context: ChannelHandlerContext, _ start: [UInt8], _ input: inout ByteBuffer) {
        guard let opening else { return }
        var head = start
        while let byte = input.readInteger(as: UInt8.self) {
            head.append(byte)
            guard byte == 0x0A, head.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] else { continue }
            do throws(WebSocketError) {
                let chosen = try WebSocketHandshake.check(
                    response: head,
                    key: opening.key,
                    subprotocols: opening.subprotocols
                )
                state = .open
                opening.opened.succeed(chosen)
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
        opening?.opened.fail(error)
        context.close(promise: nil)
    }

    private func handle(_ context: ChannelHandlerContext, _ event: WebSocketEvent, _ scratch: WebSocketScratch) {
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
        guard case .open = state, !hasReaderLeft else { return }
        buffered.add(bytes.count)
        if case .stopProducing = source.yield(kind == .text ? .text(bytes) : .binary(bytes)) { isPaused = true }
    }

    /// While the reader is behind, or the peer over its limit, the channel is not read.
    func read(context: ChannelHandlerContext) {
        if isPaused || isThrottled { hasPendingRead = true } else { context.read() }
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard hasPendingRead, !isPaused, !isThrottled else { return }
        hasPendingRead = false
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? WebSocketConnectionEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch event {
        case .resumeReading:
            isPaused = false
            resumeReading(context)
        case .readerLeft where role == .client:
            context.close(promise: nil)
        case .readerLeft:
            // The handler of the route may still send and close, so the peer's close frame has to be seen.
            hasReaderLeft = true
            isPaused = false
            resumeReading(context)
        case .takeLargeMessages: reader.limit = configuration.maximumMessageBytes
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
        // Unanswered pings are few: their sender waits, or gives the connection up.
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
        case .closing, .discarding, .closed:
            break
        }
        // A reader that is behind must not keep the peer's close frame from being seen.
        hasReaderLeft = true
        isPaused = false
        resumeReading(context)
    }

    private func write(_ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ payload: [UInt8]) {
        var buffer = context.channel.allocator.buffer(capacity: payload.count + 14)
        payload.withUnsafeBytes { bytes in
            switch role {
            case .client: WebSocketFrameWriter.append(opcode, bytes, mask: .random(in: .min ... .max), to: &buffer)
            case .server: WebSocketFrameWriter.append(opcode, bytes, to: &buffer)
            }
        }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error from below (TLS, a reset) ends the connection; only while opening does a caller wait for the reason.
        opening?.opened.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        keepAlive?.cancel()
        end()
        context.fireChannelInactive()
    }

    /// A connection that breaks while the upgrade is answered is over before this handler is in its pipeline: then being removed is all
    /// that it is told.
    private func end() {
        var error = WebSocketError.endedWhileOpening
        if case .opening(let head) = state, !WebSocketHandshake.canBegin(response: head) {
            error = .notAWebSocketServer
        }
        state = .closed
        ending.record(.lost)
        opening?.opened.fail(error)
        for ping in pings { ping.promise.fail(WebSocketError.closed) }
        pings = []
        source.finish()
    }
}
