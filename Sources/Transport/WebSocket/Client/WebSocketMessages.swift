import NIOCore

/// The messages of one connection, in order, for one reader. Ends with the connection; a reader that stops reading for good
/// (its task is cancelled) closes the connection, because nobody would see what arrives.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage
    typealias Producer = NIOAsyncSequenceProducer<
        WebSocketMessage, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, WebSocketClientReader
    >

    let producer: Producer

    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: Producer.AsyncIterator

        public mutating func next() async -> WebSocketMessage? { await base.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: producer.makeAsyncIterator()) }
}
