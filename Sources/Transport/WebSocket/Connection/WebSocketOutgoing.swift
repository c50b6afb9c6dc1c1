import NIOCore
import Synchronization

/// Frames on their way to a connection's event loop. What is sent before the loop comes to them goes out together: each write of its own costs a
/// turn of the loop and a call of the system.
final class WebSocketOutgoing: Sendable {
    /// The frames of one write, in the order in which they were sent.
    struct Batch: Sendable {
        fileprivate(set) var buffers: [ByteBuffer] = []
        fileprivate(set) var bytes = 0
        fileprivate(set) var messages = 0
        /// Kept by whoever takes the batch: when the operating system has taken all of it.
        let written: EventLoopPromise<Void>

        fileprivate init(written: EventLoopPromise<Void>) { self.written = written }
    }

    /// Bytes up to which frames share a buffer. A longer frame has one of its own, so that none is copied because another one comes behind it.
    static let sharedBytes = 16 * 1024

    private let waiting = Mutex<Batch?>(nil)

    /// Adds a frame behind those that wait.
    ///
    /// - Parameters:
    ///   - count: The frame's bytes.
    ///   - append: Writes the frame. Called once, under a lock.
    /// - Returns: Whether a batch begins with the frame, so that the caller has to ask the event loop to take it; and when it is written.
    func add(
        _ count: Int,
        to channel: any Channel,
        _ append: (inout ByteBuffer) -> Void
    ) -> (begins: Bool, written: EventLoopFuture<Void>) {
        waiting.withLock { waiting in
            let begins = waiting == nil
            // Taken out, so that its buffer is not shared while it is written to.
            var batch = waiting ?? Batch(written: channel.eventLoop.makePromise())
            waiting = nil
            if batch.buffers.last.map({ $0.readableBytes + count > Self.sharedBytes }) ?? true {
                batch.buffers.append(channel.allocator.buffer(capacity: count))
            }
            append(&batch.buffers[batch.buffers.count - 1])
            batch.bytes += count
            batch.messages += 1
            waiting = batch
            return (begins, batch.written.futureResult)
        }
    }

    /// Takes what waits; a frame that is added from now on begins another batch.
    func take() -> Batch? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}
