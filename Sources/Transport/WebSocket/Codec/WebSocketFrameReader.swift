import Kernel
package import NIOCore

/// Turns received bytes into messages: unmasks, joins fragments, checks every rule of RFC 6455 section 5, keeps what is incomplete.
///
/// Bytes are unmasked straight from where they were read into where they stay, and looked at on the way. After a
/// violation the reader is spent: its connection closes.
package struct WebSocketFrameReader {
    /// Room before a large message, so that a longer head can be written in front of it in place.
    package static let headroom = 512
    /// Room behind a large message, for a longer tail.
    package static let tailroom = 64

    /// A message that has begun: fragments so far, and the frame that is arriving.
    private struct Assembly {
        var kind: WebSocketDataKind
        var buffer: ByteBuffer
        var facts = ByteFacts()
        var mask: UInt32 = 0
        var maskOffset = 0
        var remaining = 0
        var isFinal = true
    }

    private let role: WebSocketRole
    /// The largest message, in bytes. May be changed between messages.
    package var limit: Int
    /// An incomplete small frame. Nil when idle, so that an idle connection holds no buffer.
    private var partial: ByteBuffer?
    private var assembly: Assembly?
    /// The large message that was announced last.
    private var message: ByteBuffer?

    package init(role: WebSocketRole, limit: Int) {
        self.role = role
        self.limit = limit
    }

    /// Gives the large message of the last event away. An event does not carry it, because a buffer that is held twice is copied
    /// at the first change.
    package mutating func takeMessage() -> ByteBuffer { message.take() ?? ByteBuffer() }

    /// Memory held for a message that has not arrived whole; 0 between messages.
    package var unfinishedBytes: Int { (assembly?.buffer.capacity ?? 0) + (partial?.capacity ?? 0) }

    /// The next event in `input`, or nil once all of it is consumed.
    package mutating func next(
        _ input: inout ByteBuffer,
        scratch: WebSocketScratch
    ) throws(WebSocketViolation) -> WebSocketEvent? {
        while true {
            if assembly != nil, let event = try continueFrame(&input) { return event }
            if let remaining = assembly?.remaining, remaining > 0 { return nil }

            if var joined = partial.take() {
                guard let head = try complete(&joined, from: &input) else {
                    partial = joined
                    return nil
                }
                if let event = try begin(head, &joined, scratch: scratch) { return event }
                continue
            }
            switch input.withUnsafeReadableBytes({ WebSocketFrameHead.parse($0, role: role, limit: limit) }) {
            case .violation(let violation): throw violation
            case .head(let head) where isWhole(head, in: input) || !isSmall(head):
                if let event = try begin(head, &input, scratch: scratch) { return event }
            case .head, .incomplete:
                if input.readableBytes > 0 { partial = input.readBytesCopied() }
                return nil
            }
        }
    }

    /// A frame that goes through scratch memory: small, and a whole message or a control frame.
    private func isSmall(_ head: WebSocketFrameHead) -> Bool {
        head.payloadLength <= WebSocketScratch.capacity
            && (head.opcode.isControl || head.isFinal && head.opcode != .continuation)
    }

    private func isWhole(_ head: WebSocketFrameHead, in buffer: ByteBuffer) -> Bool {
        buffer.readableBytes >= head.length + head.payloadLength
    }

    /// Moves bytes from `input` until `joined` holds a whole small frame, or the head of a large one.
    private func complete(
        _ joined: inout ByteBuffer,
        from input: inout ByteBuffer
    ) throws(WebSocketViolation) -> WebSocketFrameHead? {
        while true {
            let needed: Int
            switch joined.withUnsafeReadableBytes({ WebSocketFrameHead.parse($0, role: role, limit: limit) }) {
            case .violation(let violation): throw violation
            case .incomplete(let count): needed = count
            case .head(let head):
                if isWhole(head, in: joined) || !isSmall(head) { return head }
                needed = head.length + head.payloadLength
            }
            let count = min(needed - joined.readableBytes, input.readableBytes)
            guard count > 0, var piece = input.readSlice(length: count) else { return nil }
            joined.writeBuffer(&piece)
        }
    }

    /// Takes a head off `source` and what is there of its payload.
    private mutating func begin(
        _ head: WebSocketFrameHead,
        _ source: inout ByteBuffer,
        scratch: WebSocketScratch
    ) throws(WebSocketViolation) -> WebSocketEvent? {
        if head.opcode.isControl || assembly == nil && isSmall(head) {
            let facts = source.withUnsafeReadableBytes { bytes in
                guard let from = bytes.baseAddress, let to = scratch.memory.baseAddress else { return ByteFacts() }
                return WebSocketMask.apply(
                    head.mask,
                    from: from + head.length,
                    to: to,
                    count: head.payloadLength,
                    offset: 0
                )
            }
            source.moveReaderIndex(forwardBy: head.length + head.payloadLength)
            if head.opcode.isControl { return try control(head, scratch.bytes(head.payloadLength)) }
            let kind: WebSocketDataKind = head.opcode == .text ? .text : .binary
            if kind == .text, facts.hasNonASCII, !UTF8Check.isValid(scratch.bytes(head.payloadLength)) {
                throw .invalidUTF8
            }
            return .small(kind, count: head.payloadLength, facts)
        }
        source.moveReaderIndex(forwardBy: head.length)
        try beginAssembly(head)
        return try continueFrame(&source)
    }

    private mutating func beginAssembly(_ head: WebSocketFrameHead) throws(WebSocketViolation) {
        if var started = assembly.take() {
            guard head.opcode == .continuation else { throw .interruptedMessage }
            let size = started.buffer.readableBytes + head.payloadLength
            guard size <= limit else { throw .messageTooBig(limit: limit) }
            started.mask = head.mask
            started.maskOffset = 0
            started.remaining = head.payloadLength
            started.isFinal = head.isFinal
            assembly = started
            return
        }
        guard head.opcode != .continuation else { throw .unexpectedContinuation }
        // A peer that announces much and sends little gets little: the buffer grows with what arrives.
        let expected = min(head.payloadLength, 128 * 1024)
        var buffer = ByteBufferAllocator().buffer(capacity: Self.headroom + expected + Self.tailroom)
        buffer.moveWriterIndex(to: Self.headroom)
        buffer.moveReaderIndex(to: Self.headroom)
        assembly = Assembly(
            kind: head.opcode == .text ? .text : .binary,
            buffer: buffer,
            mask: head.mask,
            remaining: head.payloadLength,
            isFinal: head.isFinal
        )
    }

    /// Unmasks what is there of the frame that is arriving; the message when that was its end.
    private mutating func continueFrame(_ source: inout ByteBuffer) throws(WebSocketViolation) -> WebSocketEvent? {
        // Taken out of the property: a buffer held twice would be copied at the first change.
        guard var current = assembly.take() else { return nil }
        let count = min(current.remaining, source.readableBytes)
        if count > 0 {
            let (mask, offset) = (current.mask, current.maskOffset)
            // Bytes that are neither masked nor text are only moved: no check depends on their values.
            let isPlain = mask == 0 && current.kind == .binary && role == .client
            var facts = ByteFacts()
            current.buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { destination in
                facts = source.withUnsafeReadableBytes { bytes in
                    guard let from = bytes.baseAddress, let to = destination.baseAddress else { return ByteFacts() }
                    if isPlain {
                        to.copyMemory(from: from, byteCount: count)
                        return ByteFacts()
                    }
                    return WebSocketMask.apply(mask, from: from, to: to, count: count, offset: offset)
                }
                return count
            }
            current.facts.formUnion(facts)
            source.moveReaderIndex(forwardBy: count)
            current.remaining -= count
            current.maskOffset += count
        }
        guard current.remaining == 0, current.isFinal else {
            assembly = current
            return nil
        }
        let isText = current.kind == .text
        if isText, current.facts.hasNonASCII, !current.buffer.withUnsafeReadableBytes(UTF8Check.isValid) {
            throw .invalidUTF8
        }
        message = current.buffer
        return .large(current.kind, current.facts)
    }

    private func control(
        _ head: WebSocketFrameHead,
        _ payload: UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> WebSocketEvent {
        switch head.opcode {
        case .ping: return .ping(Array(payload))
        case .pong: return .pong(Array(payload))
        default: break
        }
        guard payload.count != 1 else { throw .invalidClose }
        guard payload.count >= 2 else { return .close(nil, reason: "") }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        let reason = UnsafeRawBufferPointer(rebasing: payload[2...])
        guard code.isAllowedOnTheWire else { throw .invalidClose }
        guard UTF8Check.isValid(reason) else { throw .invalidUTF8 }
        return .close(code, reason: String(decoding: reason, as: UTF8.self))
    }
}

extension ByteBuffer {
    /// The readable bytes in a buffer of their own, so that keeping a few does not keep a whole read alive.
    fileprivate mutating func readBytesCopied() -> ByteBuffer {
        var copy = ByteBufferAllocator().buffer(capacity: max(readableBytes, 512))
        copy.writeBuffer(&self)
        return copy
    }
}
