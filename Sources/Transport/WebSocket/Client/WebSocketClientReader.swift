import NIOCore
import Synchronization

/// Carries the reader's wishes to the connection's event loop.
final class WebSocketClientReader: NIOAsyncSequenceProducerDelegate {
    private let channel = Mutex<(any Channel)?>(nil)

    func attach(_ channel: any Channel) { self.channel.withLock { $0 = channel } }

    func produceMore() {
        channel.withLock { $0 }?.pipeline.fireUserInboundEventTriggered(WebSocketClientEvent.resumeReading)
    }

    func didTerminate() {
        channel.withLock { $0 }?.close(promise: nil)
    }
}

/// What reaches the handler from other threads.
enum WebSocketClientEvent: Sendable {
    case resumeReading
    case ping(EventLoopPromise<Void>)
    case close(WebSocketCloseCode, reason: String, within: TimeAmount)
}
