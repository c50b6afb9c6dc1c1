import NIOCore
import Synchronization

/// The messages of one connection, in order, for one reader. Ends with the connection. A client's reader that stops reading for good
/// (its task is cancelled, or it leaves its loop) closes the connection, because no other task would see what arrives; at a server's end
/// what arrives from then on is dropped, until the route's handler returns.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage
    typealias Producer = NIOAsyncSequenceProducer<WebSocketMessage, WebSocketBackPressure, WebSocketReaderSignals>

    private enum Source: Sendable {
        case socket(Producer, BufferedBytes)
        case other(@Sendable () async -> WebSocketMessage?)
    }

    private let source: Source

    init(producer: Producer, buffered: BufferedBytes) { source = .socket(producer, buffered) }

    /// The messages of another ``WebSocketPeer`` than a socket's.
    ///
    /// - Parameter next: The next message; nil at the end, and at every later call.
    public init(next: @escaping @Sendable () async -> WebSocketMessage?) { source = .other(next) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum Base {
            case socket(Producer.AsyncIterator, BufferedBytes)
            case other(@Sendable () async -> WebSocketMessage?)
        }

        fileprivate let base: Base

        public mutating func next() async -> WebSocketMessage? {
            switch base {
            case .socket(let iterator, let buffered):
                let message = await iterator.next()
                if let message { buffered.subtract(message.byteCount) }
                return message
            case .other(let next): return await next()
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .socket(let producer, let buffered): AsyncIterator(base: .socket(producer.makeAsyncIterator(), buffered))
        case .other(let next): AsyncIterator(base: .other(next))
        }
    }
}

/// Bytes of messages that arrived and were not read.
final class BufferedBytes: Sendable {
    private let bytes = Atomic(0)

    var count: Int { bytes.load(ordering: .relaxed) }
    func add(_ count: Int) { bytes.add(count, ordering: .relaxed) }
    func subtract(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}

/// Stops the socket at the high watermark of messages or bytes, and lets it go on at a quarter of both.
struct WebSocketBackPressure: NIOAsyncSequenceProducerBackPressureStrategy {
    private let messages: Int
    private let bytes: Int
    private let buffered: BufferedBytes
    private var isDemanding = true

    init(messages: Int, bytes: Int, buffered: BufferedBytes) {
        self.messages = Swift.max(2, messages)
        self.bytes = Swift.max(1, bytes)
        self.buffered = buffered
    }

    mutating func didYield(bufferDepth depth: Int) -> Bool {
        if depth >= messages || depth > 0 && buffered.count >= bytes { isDemanding = false }
        return isDemanding
    }

    mutating func didConsume(bufferDepth depth: Int) -> Bool {
        // The bytes of the message that is being taken are still counted; with none behind it there is nothing to wait for.
        if depth == 0 || depth < Swift.max(1, messages / 4) && buffered.count < bytes / 4 { isDemanding = true }
        return isDemanding
    }
}
