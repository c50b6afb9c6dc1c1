import Foundation
import Kernel
import NIOCore
import RouteServer
import Synchronization
import Transport

/// The state that the connections of one event loop share.
///
/// Frames for connections of this loop go straight into their out-buffers, which are written once at the end of the read event.
/// Frames for another loop are gathered and handed over in one piece.
///
/// Sendable because everything mutable is touched on `eventLoop` only, where NIO calls the connections' handlers and
/// where `perform` and the cross-loop hand-over run.
final class RelayLoop: @unchecked Sendable {
    enum Delivery {
        /// The next bytes of the batch: one or more whole frames.
        case bytes(RelayConnection, count: Int)
        /// A large frame in a buffer of its own.
        case whole(RelayConnection, ByteBuffer)
    }

    struct Batch {
        var bytes = ByteBuffer()
        var deliveries: [Delivery] = []
    }

    let index: Int
    let eventLoop: any EventLoop
    let scratch = WebSocketScratch()
    private let counters: RelayCounters
    private let time: any TimeSource
    /// By `RelayConnection.number`.
    var connections: [UInt64: RelayConnection] = [:]
    /// Sockets that have not become a registered WebSocket: in their handshake, HTTP, or a WebSocket without an id.
    private var arriving = OldestFirst<any Channel>()
    private var arrivalPlaces: [ObjectIdentifier: UInt64] = [:]
    /// WebSockets without an id.
    var unregistered = OldestFirst<RelayConnection>()
    /// WebSockets in the middle of a message, by when it began.
    var unfinished = OldestFirst<RelayConnection>()
    private var dirty: [RelayConnection] = []
    private var recycled: [ByteBuffer] = []
    private var batches: [Batch?] = []
    /// Every loop, this one included; set once, before the first connection.
    private var siblings: [RelayLoop] = []

    /// The date of the read event, in milliseconds since 1970; ``suffix`` is the end of a forwarded frame that says it.
    private(set) var milliseconds: Int64 = -1
    /// The time of the read event, for durations: a clock that an administrator sets must not freeze a rate limit or end a challenge.
    private(set) var nanoseconds: UInt64 = 0
    private(set) var suffix: [UInt8] = []
    /// Frames and bytes of the event, counted here first: adding to shared counters costs more than the rest of a small frame's work.
    private var forwarded = (frames: 0, bytes: 0)

    init(
        index: Int,
        eventLoop: any EventLoop,
        counters: RelayCounters,
        time: any TimeSource
    ) {
        self.index = index
        self.eventLoop = eventLoop
        self.counters = counters
        self.time = time
    }

    func attach(_ siblings: [RelayLoop]) {
        self.siblings = siblings
        batches = Array(repeating: nil, count: siblings.count)
    }

    /// Runs `work` on the loop, between a beginning and an end of an event of its own.
    func perform(_ work: @escaping @Sendable (RelayLoop) -> Void) {
        eventLoop.execute { [self] in
            beginEvent()
            work(self)
            finishEvent()
        }
    }

    /// Runs `work` on the loop for one connection, unless that is gone by then.
    ///
    /// By number and not by a weak reference: Swift counts references to an object that was ever referred to weakly in a table
    /// beside it, several times slower, and every frame that is forwarded retains its connections.
    func perform(for number: UInt64, _ work: @escaping @Sendable (RelayConnection) -> Void) {
        perform { loop in
            if let connection = loop.connections[number] { work(connection) }
        }
    }

    // MARK: Who gives way

    func arrive(_ channel: any Channel) { arrivalPlaces[ObjectIdentifier(channel)] = arriving.append(channel) }

    /// The channel is a registered WebSocket now, or gone. Harmless when repeated.
    func arrived(_ channel: any Channel) {
        if let place = arrivalPlaces.removeValue(forKey: ObjectIdentifier(channel)) { arriving.remove(place) }
    }

    var arrivingCount: Int { arriving.count }

    func takeOldestArrival() -> (any Channel)? {
        guard let channel = arriving.takeOldest() else { return nil }
        arrivalPlaces[ObjectIdentifier(channel)] = nil
        return channel
    }

    /// Closes the sockets whose message takes too long to arrive.
    func endUnfinished(after limit: UInt64) {
        while let connection = unfinished.oldest(), connection.hasBegunMessage(before: nanoseconds, by: limit) {
            connection.endUnfinished(.policyViolation, reason: "A message took too long")
        }
    }

    /// Reads the clock once for everything that happens in this event.
    func beginEvent() {
        nanoseconds = time.ticks
        let milliseconds = time.date.millisecondsSince1970
        guard milliseconds != self.milliseconds else { return }
        self.milliseconds = milliseconds
        suffix = Array(",\"timestamp\":\(milliseconds)}".utf8)
    }

    /// Writes what the event produced.
    func finishEvent() {
        if forwarded.frames > 0 {
            counters.framesForwarded.add(forwarded.frames, ordering: .relaxed)
            counters.bytesForwarded.add(forwarded.bytes, ordering: .relaxed)
            forwarded = (0, 0)
        }
        // A write may fail and bring more to write; the list is drained, not iterated.
        while let connection = dirty.popLast() { connection.flush() }
        for index in batches.indices {
            guard let batch = batches[index].take() else { continue }
            let sibling = siblings[index]
            let bound = UnsafeBatch(batch: batch)
            sibling.perform { $0.deliver(bound.batch) }
        }
    }

    func countForwarded(_ bytes: Int) {
        forwarded.frames &+= 1
        forwarded.bytes &+= bytes
    }

    func markDirty(_ connection: RelayConnection) { dirty.append(connection) }

    /// An empty buffer, with room from earlier use where possible.
    func takeBuffer() -> ByteBuffer {
        guard var buffer = recycled.popLast() else { return ByteBufferAllocator().buffer(capacity: 2048) }
        buffer.clear()
        return buffer
    }

    /// Keeps a few buffers of moderate size. Ones that are still being written are copied when they are cleared, not changed.
    func recycle(_ buffer: ByteBuffer) {
        guard recycled.count < 8, buffer.capacity <= 256 * 1024 else { return }
        recycled.append(buffer)
    }

    /// Appends a frame made of three pieces for a connection of any loop.
    func send(
        _ opcode: WebSocketOpcode,
        _ head: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer,
        _ tail: UnsafeRawBufferPointer,
        to target: RelayConnection
    ) {
        if target.loop === self {
            target.append(opcode, head, body, tail)
            return
        }
        var batch = takeBatch(target.loop.index)
        let count = batch.bytes.writeFrame(opcode, head, body, tail)
        if case .bytes(let last, let before)? = batch.deliveries.last, last === target {
            batch.deliveries[batch.deliveries.count - 1] = .bytes(target, count: before + count)
        } else {
            batch.deliveries.append(.bytes(target, count: count))
        }
        batches[target.loop.index] = batch
    }

    /// Sends a text frame to a connection of any loop.
    func send(_ frame: [UInt8], to target: RelayConnection) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        frame.withUnsafeBytes { send(.text, $0, nothing, nothing, to: target) }
    }

    /// Hands a whole frame, head included, to a connection of any loop.
    func send(whole frame: ByteBuffer, to target: RelayConnection) {
        if target.loop === self {
            target.append(whole: frame)
            return
        }
        var batch = takeBatch(target.loop.index)
        batch.deliveries.append(.whole(target, frame))
        batches[target.loop.index] = batch
    }

    /// Out of the array, so that appending does not copy it.
    private func takeBatch(_ index: Int) -> Batch { batches[index].take() ?? Batch() }

    private func deliver(_ batch: Batch) {
        var bytes = batch.bytes
        for delivery in batch.deliveries {
            switch delivery {
            case .bytes(let target, let count):
                if let frames = bytes.readSlice(length: count) { target.append(frames: frames) }
            case .whole(let target, let frame): target.append(whole: frame)
            }
        }
    }
}

/// Sendable because a batch is given away whole: the sending loop forgets it before the receiving loop gets it.
private struct UnsafeBatch: @unchecked Sendable {
    let batch: RelayLoop.Batch
}

extension ByteBuffer {
    /// - Returns: Bytes written.
    @discardableResult
    @inline(__always)
    mutating func writeFrame(
        _ opcode: WebSocketOpcode,
        _ head: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer,
        _ tail: UnsafeRawBufferPointer
    ) -> Int {
        let payload = head.count + body.count + tail.count
        let frameHead = WebSocketFrameWriter.headLength(payload: payload)
        return writeWithUnsafeMutableBytes(minimumWritableBytes: frameHead + payload) { memory in
            guard var next = memory.baseAddress else { return 0 }
            WebSocketFrameWriter.writeHead(opcode, payload: payload, to: next)
            next += frameHead
            // Three statements, not a loop over an array: this runs for every frame.
            next = next.copied(head)
            next = next.copied(body)
            next = next.copied(tail)
            return frameHead + payload
        }
    }
}

extension UnsafeMutableRawPointer {
    @inline(__always)
    fileprivate func copied(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        if let from = bytes.baseAddress { copyMemory(from: from, byteCount: bytes.count) }
        return self + bytes.count
    }
}
