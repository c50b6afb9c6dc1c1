import Kernel
import NIOCore
import RouteServer
import Sealing
import Synchronization
import Transport

/// One WebSocket: reads frames, routes them, and keeps what waits to be written.
///
/// Sendable because every `var` is touched on `loop.eventLoop` only: by the handler's methods, which NIO calls there, and by other
/// connections of the same loop. From other threads come `loop.perform` and the three atomics and mutexes below.
final class RelayConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Phase {
        case open
        /// A close frame was sent or is about to be; nothing is read any more.
        case closing
        /// A closing socket whose peer broke the protocol: what it still sends is thrown away unread, because closing at once would reset
        /// the connection and take our close frame with it.
        case discarding
        case closed
    }

    /// Why nothing is read at the moment.
    struct Pause: OptionSet {
        let rawValue: UInt8
        static let registering = Pause(rawValue: 1)
        static let throttled = Pause(rawValue: 2)
    }

    /// The last recipient and its id as the sender spelt it: most frames go where the one before went.
    struct Memo {
        let token: [UInt8]
        let target: RelayConnection
        let generation: UInt64
    }

    struct Challenge {
        let id: PeerID
        let nonce: [UInt8]
        let expiresAt: UInt64
    }

    /// Bytes gathered in one buffer before it is put behind the rest.
    private static let gatheredBytes = 64 * 1024

    let relay: Relay
    let loop: RelayLoop
    let number: UInt64
    /// The authority the client dialled, in lower case.
    let host: String
    /// SHA-256 of the certificate this socket was opened with; nil without TLS.
    let certificateHash: [UInt8]?
    let address: AddressRecord
    /// Grows whenever an id of this connection is taken away: what others remember of it is then void.
    let generation = Atomic<UInt64>(0)
    /// Milliseconds since 1970 of the last read.
    let lastSeen = Atomic<Int64>(0)
    /// The numbers this client knows senders of binary frames by.
    let inboundRoutes = Mutex(InboundRoutes())

    var context: ChannelHandlerContext?
    /// The channel's writability as last told: asking it costs several calls, and every flush needs to know.
    private var isWritable = true
    var phase = Phase.open
    var reader: WebSocketFrameReader
    private var pause: Pause = []
    /// Input that came before a pause was over.
    var waiting: ByteBuffer?
    var isAwaitingPong = false
    private var messages: TokenBucket
    private var bytes: TokenBucket
    /// The limit on asking for aliases and registering them.
    var aliases: TokenBucket
    /// How long it may stay without an id; nil while it has one.
    var registrationDeadline: Scheduled<Void>?
    var unregisteredPlace: UInt64?
    /// Whether it holds one of the places for others than the holders of unmetered keys.
    var isGuest = false
    /// The message that is arriving: its place among the others', when it began, and the memory it was counted with.
    var unfinished: (place: UInt64, since: UInt64)?
    var arrivalAccounted = 0

    // Output in the order it is written: first what waits for a reader that is behind, then what this event gathers.
    var backlog: OutgoingBacklog?
    var out: ByteBuffer?
    private var isDirty = false
    private var isFlushing = false
    private var accounted = 0
    /// Frames that came while the mailbox was being delivered, which go behind it.
    var held: ByteBuffer?
    var drains = 0

    // The device's identity.
    var ids: [PeerID] = []
    /// The start of a forwarded `message` of this connection, up to its payload. Empty until it has registered.
    var prefix: [UInt8] = []
    var sender: PeerID?
    var hasSentProof = false
    /// The key that it proved to hold. Nil while it proved nothing.
    var provenKey: DID?
    var isProven: Bool { provenKey != nil }
    /// Whether limits that are for strangers do not hold for it.
    var isUnmetered: Bool { provenKey.map(relay.configuration.isUnmetered) ?? false }
    var challenge: Challenge?
    var memo: Memo?
    /// Recipients the directory was told about.
    var noted: Set<PeerID> = []
    /// Recipients that were away when the directory was told about them.
    var notedAway: Set<PeerID> = []
    var outboundRoutes: [UInt32: OutboundRoute] = [:]

    init(
        relay: Relay,
        loop: RelayLoop,
        number: UInt64,
        host: String,
        certificateHash: [UInt8]?,
        address: AddressRecord
    ) {
        self.relay = relay
        self.loop = loop
        self.number = number
        self.host = host
        self.certificateHash = certificateHash
        self.address = address
        reader = WebSocketFrameReader(role: .server, limit: relay.limits.unregisteredMessageBytes)
        messages = relay.limits.socketMessages.bucket(now: loop.nanoseconds)
        bytes = relay.limits.socketBytes.bucket(now: loop.nanoseconds)
        aliases = relay.limits.socketAliases.bucket(now: loop.nanoseconds)
    }

    // MARK: Reading

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        loop.connections[number] = self
        lastSeen.store(loop.milliseconds, ordering: .relaxed)
        relay.counters.connectionsOpened.add(1, ordering: .relaxed)
        let open = relay.counters.connectionsOpen.add(1, ordering: .relaxed).newValue
        awaitRegistration()
        if open > relay.limits.connections {
            // In an open server no device has to register, so the new socket is closed.
            (loop.unregistered.takeOldest() ?? self).close(.tryAgainLater, reason: "Server at capacity")
            loop.finishEvent()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        loop.beginEvent()
        lastSeen.store(loop.milliseconds, ordering: .relaxed)
        var input = unwrapInboundIn(data)
        if var earlier = waiting.take() {
            earlier.writeBuffer(&input)
            input = earlier
        }
        read(input)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        loop.finishEvent()
    }

    private func read(_ received: consuming ByteBuffer) {
        var input = received
        let size = input.readableBytes
        var count = 0
        var isBetweenMessages = unfinished == nil
        do throws(WebSocketViolation) {
            while phase == .open, pause.isEmpty, let event = try reader.next(&input, scratch: loop.scratch) {
                count += 1
                isBetweenMessages = isBetweenMessages || event.isMessage
                handle(event)
            }
        } catch {
            close(error.closeCode, reason: error.reason)
            phase = .discarding
        }
        guard phase == .open else { return readAfterClosing(&input) }
        if !pause.isEmpty, input.readableBytes > 0 { waiting = input }
        noteArrival(isNew: isBetweenMessages)
        throttle(count, size - input.readableBytes)
    }

    /// Whether nothing is read because a registration is looked up.
    var isRegistering: Bool { pause.contains(.registering) }

    /// After our close frame only the peer's matters: then the socket can go at once.
    private func readAfterClosing(_ input: inout ByteBuffer) {
        guard phase == .closing else { return }
        do throws(WebSocketViolation) {
            while let event = try reader.next(&input, scratch: loop.scratch) {
                guard case .close = event else { continue }
                context?.close(promise: nil)
                return
            }
        } catch {
            phase = .discarding
        }
    }

    private func handle(_ event: WebSocketEvent) {
        switch event {
        case .small(let kind, let count, let facts): receive(kind, loop.scratch.bytes(count), facts)
        case .large(let kind, let facts): receive(kind, reader.takeMessage(), facts)
        case .ping(let payload): payload.withUnsafeBytes { appendControl(.pong, $0) }
        case .pong: isAwaitingPong = false
        case .close(let code, _):
            phase = .closing
            (backlog, out) = (nil, nil)
            leave()
            forgetArrival()
            sendClose(code, reason: "", thenCloses: true)
        }
    }

    /// A socket that is over its limit is not read for a while; nothing is lost and the sender is not told.
    private func throttle(_ count: Int, _ size: Int) {
        let now = loop.nanoseconds
        slowDown(
            max(
                messages.spend(Double(count), now: now),
                bytes.spend(Double(size), now: now),
                address.spend(count, now: now)
            )
        )
    }

    /// - Parameter wait: Nanoseconds until a limit is met again.
    func slowDown(_ wait: UInt64) {
        guard wait > 0, !pause.contains(.throttled) else { return }
        let now = loop.nanoseconds
        if isUnmetered {
            // No debt, or it would be slow for long once it is metered like any other.
            messages = relay.limits.socketMessages.bucket(now: now)
            bytes = relay.limits.socketBytes.bucket(now: now)
            return
        }
        relay.counters.socketsThrottled.add(1, ordering: .relaxed)
        stopReading(.throttled)
        let delay = TimeAmount.nanoseconds(Int64(min(max(wait, 10_000_000), 1_000_000_000)))
        loop.eventLoop.assumeIsolated().scheduleTask(in: delay) { [loop, number] in
            loop.beginEvent()
            loop.connections[number]?.resumeReading(.throttled)
            loop.finishEvent()
        }
    }

    func stopReading(_ reason: Pause) {
        if pause.isEmpty { setAutoRead(false) }
        pause.insert(reason)
    }

    /// Goes on with what waits, then with the socket.
    func resumeReading(_ reason: Pause) {
        guard pause.remove(reason) != nil, pause.isEmpty, phase == .open else { return }
        read(waiting.take() ?? ByteBuffer())
        if pause.isEmpty { setAutoRead(true) }
    }

    private func setAutoRead(_ isOn: Bool) {
        guard let options = context?.channel.syncOptions else { return }
        // Fails only on a channel that is closed already.
        try? options.setOption(.autoRead, value: isOn)
    }

    /// Reads no further: what the peer still sends is thrown away, and what came of an unfinished message is free.
    func discard() {
        guard phase == .closing else { return }
        phase = .discarding
        reader = WebSocketFrameReader(role: .server, limit: 0)
        waiting = nil
    }

    /// From now on messages may have the full size.
    func allowFullMessages() { reader.limit = relay.limits.messageBytes }

    // MARK: Writing

    /// Appends a frame; it leaves at the end of the event.
    @inline(__always)
    func append(
        _ opcode: WebSocketOpcode,
        _ head: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer,
        _ tail: UnsafeRawBufferPointer
    ) {
        guard phase == .open, var buffer = takeQueue() else { return }
        buffer.writeFrame(opcode, head, body, tail)
        putBack(buffer)
    }

    func append(frames: ByteBuffer) {
        guard phase == .open, var buffer = takeQueue() else { return }
        buffer.writeImmutableBuffer(frames)
        putBack(buffer)
    }

    /// Appends a large frame, head included, without copying it where that can be.
    func append(whole frame: consuming ByteBuffer) {
        guard phase == .open, let context else { return }
        guard drains == 0 else { return append(frames: frame) }
        if isWritable, backlog == nil {
            writeOut(context)
            context.write(wrapOutboundOut(frame), promise: nil)
        } else {
            setBehind()
            backlog?.append(frame)
            if waitingBytes > relay.limits.outgoingBytes { return closeSlowReader() }
        }
        markDirty()
    }

    /// Control frames need not wait behind a mailbox.
    func appendControl(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) {
        guard phase == .open else { return }
        var buffer = out.take() ?? loop.takeBuffer()
        WebSocketFrameWriter.append(opcode, payload, to: &buffer)
        out = buffer
        markDirty()
    }

    /// A frame of the server's own.
    func send(_ frame: [UInt8]) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        frame.withUnsafeBytes { append(.text, $0, nothing, nothing) }
    }

    private func takeQueue() -> ByteBuffer? {
        drains == 0 ? out.take() ?? loop.takeBuffer() : held.take() ?? ByteBufferAllocator().buffer(capacity: 2048)
    }

    private func putBack(_ buffer: consuming ByteBuffer) {
        let size = buffer.readableBytes
        if drains == 0 { out = buffer } else { held = buffer }
        if size > Self.gatheredBytes { return queueWhole(size) }
        markDirty()
    }

    /// A gathered buffer is not let grow: growing copies it, and at megabytes all other connections of this loop wait for that.
    private func queueWhole(_ size: Int) {
        if drains == 0 { setBehind() }
        if waitingBytes > relay.limits.outgoingBytes { return closeSlowReader() }
        markDirty()
    }

    /// Puts what is gathered behind what waits.
    private func setBehind() {
        var frames = backlog.take() ?? OutgoingBacklog()
        if let gathered = out.take() { frames.append(gathered) }
        backlog = frames
    }

    private var waitingBytes: Int {
        (backlog?.byteCount ?? 0) + (out?.readableBytes ?? 0) + (held?.readableBytes ?? 0)
    }

    private func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        loop.markDirty(self)
    }

    /// Puts what is gathered into the channel. While the channel is behind, it stays here, where it is counted.
    func flush() {
        isDirty = false
        guard let context, phase != .closed else { return }
        isFlushing = true
        repeat {
            if isWritable {
                // Piece by piece, so that what the channel holds stays small: it can be neither taken back nor closed behind.
                if let frames = backlog?.popFirst() {
                    context.write(wrapOutboundOut(frames), promise: nil)
                } else {
                    backlog = nil
                    writeOut(context)
                }
            }
            context.flush()
        } while isWritable && (backlog != nil || out != nil)
        isFlushing = false
        account()
    }

    private func writeOut(_ context: ChannelHandlerContext) {
        guard let buffer = out.take() else { return }
        context.write(wrapOutboundOut(buffer), promise: nil)
        loop.recycle(buffer)
    }

    /// Puts everything gathered, and all that waits before it, into the channel: for what must not wait any longer.
    func writeEverything(_ context: ChannelHandlerContext) {
        while let frames = backlog?.popFirst() { context.write(wrapOutboundOut(frames), promise: nil) }
        backlog = nil
        writeOut(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        context.fireChannelWritabilityChanged()
        // A flush that is under way sees it by itself.
        if isWritable, !isFlushing, backlog != nil || out != nil { flush() }
    }

    /// Counts what waits here and in the channel among everything that waits, and gives up on this reader when that is too much.
    func account() {
        var size = waitingBytes
        if !isWritable, phase != .closed { size += channelBytes }
        guard size != accounted else { return }
        let total = relay.counters.outgoingBytes.add(size - accounted, ordering: .relaxed).newValue
        accounted = size
        if total > relay.limits.totalOutgoingBytes, size > 0, phase == .open { closeSlowReader() }
    }

    /// Bytes that the channel holds. Asked only when they are many: below the write watermark the reader is not behind.
    private var channelBytes: Int {
        guard let options = context?.channel.syncOptions else { return 0 }
        // Fails only on a channel that is closed already, and that holds nothing.
        return (try? options.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func closeSlowReader() {
        relay.counters.slowReadersClosed.add(1, ordering: .relaxed)
        backlog?.dropUnstarted()
        (out, held) = (nil, nil)
        close(.tryAgainLater, reason: "Reading too slowly")
        // The close frame goes behind what the channel holds. When there is no room even for that, the socket goes at once.
        if relay.counters.outgoingBytes.load(ordering: .relaxed) > relay.limits.totalOutgoingBytes {
            context?.close(promise: nil)
        }
    }

    /// Writes a page of the mailbox at once; the next follows when this one is on its way.
    func write(_ page: ByteBuffer, then next: @escaping @Sendable () -> Void) {
        guard phase == .open, let context else { return }
        writeEverything(context)
        context.writeAndFlush(wrapOutboundOut(page)).whenSuccess(next)
    }

    /// Frames held back during a delivery follow it now.
    func releaseHeld() {
        guard drains == 0, let frames = held.take() else { return }
        append(frames: frames)
    }
}
