import NIOCore
import Synchronization

/// Carries the reader's wishes to the connection's event loop.
final class WebSocketReaderSignals: NIOAsyncSequenceProducerDelegate {
    private let channel = Mutex<(any Channel)?>(nil)

    func attach(_ channel: any Channel) { self.channel.withLock { $0 = channel } }

    func produceMore() { fire(.resumeReading) }

    func didTerminate() { fire(.readerLeft) }

    private func fire(_ event: WebSocketConnectionEvent) {
        channel.withLock { $0 }?.pipeline.fireUserInboundEventTriggered(event)
    }
}

/// The events that reach the handler from other threads.
enum WebSocketConnectionEvent: Sendable {
    case resumeReading
    /// The reader of the messages has left.
    case readerLeft
    /// The peer has proved itself.
    case takeLargeMessages
    case ping(EventLoopPromise<Void>)
    case close(WebSocketCloseCode, reason: String, within: TimeAmount)
}
